import type { Command } from 'commander';
import { parseRunId } from '#src/base/terminal/arguments/runId.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export function addDownloadCommand(program: Command, context: CommandContext): void {
  program
    .command('download')
    .summary('download files of one run')
    .description(
      'Write files of a run into a folder, under their names; those that are there with the same content stay.',
    )
    .argument('<run>', 'number or id of the run')
    .argument('[names...]', 'files, or folders with all below; all files when left out')
    .option('--output <folder>', 'folder to write to', '.')
    .option('--force', 'write over files that are there with another content')
    .addHelpText(
      'after',
      '\nExamples:\n  warren download 12 model.pt\n  warren download 12 checkpoints --output run-12',
    )
    .action(async (run: string, names: string[], options: { output: string; force?: boolean }) => {
      const id = parseRunId(run);
      const { downloadFiles } = await import('./downloadFiles.ts');
      await downloadFiles(context, { id, names, folder: options.output, force: options.force === true });
    });
}
