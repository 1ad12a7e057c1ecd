import type { Command } from 'commander';
import { badInput } from '#src/contracts/errors.ts';
import { ageInDays } from '../arguments/amounts.ts';
import type { CommandContext } from '../commandContext.ts';

export function addCleanCommand(program: Command, context: CommandContext): void {
  program
    .command('clean')
    .summary('free disk: delete for good what is in the trash, remove old checkpoints')
    .description(
      'Delete runs for good that have been in the trash (`warren ls --trash`) for long enough, with all that they recorded, and free their disk.\nA run that others use as an input stays. Only a token with role ADMIN may do this.',
    )
    .option(
      '--older-than <age>',
      'how long runs have been in the trash: 30d, 12h, 2w; 0d for all',
      ageInDays('--older-than'),
    )
    .option(
      '--checkpoints <age>',
      'remove checkpoints of runs that ended so long ago: these can no more go on from there',
      ageInDays('--checkpoints'),
    )
    .option('--dry-run', 'only say what would be deleted')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nFiles that no run refers to any more, such as older checkpoints and broken uploads, are removed by the API itself\nwithin a minute. WARREN_TRASH_DAYS=30 has the API empty the trash by itself, WARREN_CHECKPOINT_DAYS=14\nremove checkpoints.\n\nExamples:\n  warren clean --older-than 30d --dry-run\n  warren clean --older-than 0d\n  warren clean --checkpoints 14d --dry-run',
    )
    .action(async (options: { olderThan?: number; checkpoints?: number; dryRun?: boolean; json?: boolean }) => {
      const { olderThan, checkpoints } = options;
      if ((olderThan === undefined) === (checkpoints === undefined)) {
        throw badInput('expected either --older-than for the trash, or --checkpoints', '--older-than');
      }
      const how = { dryRun: options.dryRun === true, json: options.json === true };
      if (olderThan !== undefined) {
        const { cleanTrash } = await import('../clean/cleanTrash.ts');
        await cleanTrash(context, { olderThanDays: olderThan, ...how });
      } else if (checkpoints !== undefined) {
        const { cleanCheckpoints } = await import('../clean/cleanCheckpoints.ts');
        await cleanCheckpoints(context, { olderThanDays: checkpoints, ...how });
      }
    });
}
