import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export function addArtifactsCommand(program: Command, context: CommandContext): void {
  const artifacts = program
    .command('artifacts')
    .summary('copy the files of all runs to another folder or bucket')
    .description(
      'Copy the files of runs from where they are kept: the folder `artifacts` of WARREN_HOME, or what WARREN_ARTIFACTS names.',
    );
  artifacts
    .command('copy')
    .summary('copy all of them to another folder or bucket')
    .description(
      'Copy all artifacts to another place, each checked against its sha256. What is there already is not copied again, so the command can be stopped and repeated, also while Warren runs. Nothing is removed.',
    )
    .requiredOption('--to <place>', 'a folder, or s3://bucket/prefix')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nRun it where the API runs, with the same variables. To move:\n  warren artifacts copy --to s3://lab-artifacts/warren      (while everything runs)\n  stop the API; run it once more; start the API with WARREN_ARTIFACTS=s3://lab-artifacts/warren\n  warren doctor --artifacts                                 (every artifact has its file)',
    )
    .action(async (options: { to: string; json?: boolean }) => {
      const { copyStore } = await import('./copyStore.ts');
      await copyStore(context, { to: options.to, json: options.json === true });
    });
}
