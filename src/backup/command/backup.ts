import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';

export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .argument('<file>', 'the archive to write; it must not exist yet')
    .summary('write database and artifacts into one file, while everything runs')
    .description(
      'Write the database and the artifacts into one tar archive, readable by its owner only. Runs may go on meanwhile: the archive has the state of one moment.',
    )
    .option('--verbose', 'also say how many rows each table has')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe database is that of DATABASE_URL, or the embedded one of WARREN_HOME, running or not. The artifacts are those\nof WARREN_HOME: run it where the API runs. API tokens are in it as hashes, and work after a restore.\n\nExample:\n  warren backup warren-2026-11-30.tar',
    )
    .action(async (file: string, options: { verbose?: boolean; json?: boolean }) => {
      const { openHome } = await import('#src/base/terminal/openHome.ts');
      const { createBackup } = await import('#src/backup/createBackup.ts');
      const { untilInterrupted } = await import('#src/base/terminal/untilInterrupted.ts');
      const { describeBackup } = await import('./describeBackup.ts');
      const { terminal } = context;
      const path = resolve(file);
      await untilInterrupted(context, async (signal) => {
        const home = await openHome(context.environment(), { exclusive: false });
        try {
          const { databaseUrl, artifacts } = home;
          const onProgress = (message: string) => terminal.say(`warren: ${message}`);
          const summary = await createBackup({
            ...{ path, databaseUrl, artifacts, onProgress, signal },
            ...(options.verbose === true && { onTable: onProgress }),
          });
          const { recordCommandAt } = await import('#src/audit/command/recordCommand.ts');
          await recordCommandAt(databaseUrl, { action: 'backup', objects: [path] });
          if (options.json === true) terminal.print(JSON.stringify({ file: path, ...summary }, null, 2));
          else {
            const { size } = await stat(path);
            terminal.print(`${path} (${formatBytes(size)}): ${describeBackup(summary)}`);
          }
          // the archive is good for the rest; who makes one every night must hear of it
          if (summary.missingArtifacts.length > 0) context.exitCode = EXIT_FAILED;
        } finally {
          await home.close();
        }
      });
    });
}
