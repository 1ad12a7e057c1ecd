import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export function addRestoreCommand(program: Command, context: CommandContext): void {
  program
    .command('restore')
    .argument('<file>', 'an archive that `warren backup` wrote')
    .summary('restore a backup into an empty database')
    .description(
      'Restore the database and the artifacts of a backup. The whole file is checked first; then the database changes at once or not at all.',
    )
    .option('--replace', 'remove what the database holds')
    .option('--verbose', 'also say how many rows each table has')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nIt goes into the database of DATABASE_URL, or the embedded one of WARREN_HOME, which is made where there is none;\nthe artifacts go into WARREN_HOME. Nothing may use the database meanwhile. Runs that were queued wait for a worker again;\nthose that were running go on from their last checkpoint.\n\nExample:\n  WARREN_HOME=/data/warren warren restore warren-2026-11-30.tar',
    )
    .action(async (file: string, options: { replace?: boolean; verbose?: boolean; json?: boolean }) => {
      const { openHome } = await import('#src/base/terminal/openHome.ts');
      const { restoreBackup } = await import('#src/backup/restoreBackup.ts');
      const { untilInterrupted } = await import('#src/base/terminal/untilInterrupted.ts');
      const { describeBackup } = await import('./describeBackup.ts');
      const { describeDatabase } = await import('#src/base/platform/postgres/postgresClient.ts');
      const { terminal } = context;
      await untilInterrupted(context, async (signal) => {
        const home = await openHome(context.environment(), { exclusive: true });
        try {
          const { databaseUrl, artifacts } = home;
          const onProgress = (message: string) => terminal.say(`warren: ${message}`);
          const replace = options.replace === true;
          const summary = await restoreBackup({
            path: resolve(file),
            databaseUrl,
            artifacts,
            replace,
            onProgress,
            ...(options.verbose === true && { onTable: onProgress }),
            signal,
          });
          const { recordCommandAt } = await import('#src/audit/command/recordCommand.ts');
          await recordCommandAt(databaseUrl, { action: 'restore', objects: [resolve(file)] });
          if (options.json === true) terminal.print(JSON.stringify(summary, null, 2));
          else {
            const place = describeDatabase(databaseUrl);
            terminal.print(`restored into ${place}, as of ${summary.createdAt}: ${describeBackup(summary)}`);
          }
        } finally {
          await home.close();
        }
      });
    });
}
