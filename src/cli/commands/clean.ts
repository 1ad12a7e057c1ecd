import type { Command } from 'commander';
import { ageInDays } from '../arguments/amounts.ts';
import type { CommandContext } from '../commandContext.ts';

export function addCleanCommand(program: Command, context: CommandContext): void {
  program
    .command('clean')
    .summary('delete for good what is in the trash')
    .description(
      'Delete runs for good that have been in the trash (`warren ls --trash`) for long enough, with all that they recorded, and free their disk.\nA run that others use as an input stays. Only a token with role ADMIN may do this.',
    )
    .requiredOption(
      '--older-than <age>',
      'how long they have been there: 30d, 12h, 2w; 0d for all',
      ageInDays('--older-than'),
    )
    .option('--dry-run', 'only say what would be deleted')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nFiles that no run refers to any more, such as older checkpoints and broken uploads, are removed by the API itself\nwithin a minute. WARREN_TRASH_DAYS=30 has the API empty the trash by itself, too.\n\nExamples:\n  warren clean --older-than 30d --dry-run\n  warren clean --older-than 0d',
    )
    .action(async (options: { olderThan: number; dryRun?: boolean; json?: boolean }) => {
      const { cleanTrash } = await import('../clean/cleanTrash.ts');
      await cleanTrash(context, {
        olderThanDays: options.olderThan,
        dryRun: options.dryRun === true,
        json: options.json === true,
      });
    });
}
