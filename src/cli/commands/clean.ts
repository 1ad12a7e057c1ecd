import type { Command } from 'commander';
import { badInput } from '#src/base/contracts/errors.ts';
import { ageInDays, wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

interface CleanOptions {
  olderThan?: number;
  checkpoints?: number;
  logs?: number;
  points?: number;
  keep?: number;
  dryRun?: boolean;
  json?: boolean;
}

export function addCleanCommand(program: Command, context: CommandContext): void {
  program
    .command('clean')
    .summary('free disk space: empty the trash, remove old checkpoints and logs, thin old curves')
    .description(
      'Delete runs for good that have been in the trash (`warren ls --trash`) for long enough, with all that they recorded. A run that others use as an input stays. Only a token with role ADMIN may do this.',
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
    .option(
      '--logs <age>',
      'remove the logs of runs that ended so long ago, but for the last 100 lines of each attempt',
      ageInDays('--logs'),
    )
    .option(
      '--points <age>',
      'thin the curves of runs that ended so long ago; last values and extremes stay',
      ageInDays('--points'),
    )
    .option(
      '--keep <points>',
      'with --points: points of a metric that stay at most, 10 to 10,000 (default 500)',
      wholeNumber('--keep', 10, 10_000),
    )
    .option('--dry-run', 'only say what would be deleted')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nFiles that no run refers to any more, such as older checkpoints and broken uploads, are removed by the API itself\nwithin a minute. WARREN_TRASH_DAYS=30 has the API empty the trash by itself, WARREN_CHECKPOINT_DAYS=14\nremove checkpoints, WARREN_LOG_DAYS=90 logs, WARREN_POINT_DAYS=365 thin curves (to WARREN_POINTS_KEPT=500).\n\nExamples:\n  warren clean --older-than 30d --dry-run\n  warren clean --older-than 0d\n  warren clean --checkpoints 14d --dry-run\n  warren clean --points 365d --keep 500 --dry-run',
    )
    .action(async (options: CleanOptions) => {
      const { olderThan, checkpoints, logs, points, keep } = options;
      const given = [olderThan, checkpoints, logs, points].filter((age) => age !== undefined);
      if (given.length !== 1) {
        throw badInput('expected one of --older-than for the trash, --checkpoints, --logs, --points', '--older-than');
      }
      if (keep !== undefined && points === undefined) throw badInput('--keep belongs to --points', '--keep');
      const how = { dryRun: options.dryRun === true, json: options.json === true };
      if (olderThan !== undefined) {
        const { cleanTrash } = await import('#src/runs/command/cleanTrash.ts');
        await cleanTrash(context, { olderThanDays: olderThan, ...how });
      } else if (checkpoints !== undefined) {
        const { cleanCheckpoints } = await import('#src/artifacts/command/cleanCheckpoints.ts');
        await cleanCheckpoints(context, { olderThanDays: checkpoints, ...how });
      } else if (logs !== undefined) {
        const { cleanLogs } = await import('#src/metrics/command/cleanReports.ts');
        await cleanLogs(context, { olderThanDays: logs, ...how });
      } else if (points !== undefined) {
        const { cleanPoints } = await import('#src/metrics/command/cleanReports.ts');
        await cleanPoints(context, { olderThanDays: points, keep: keep ?? 500, ...how });
      }
    });
}
