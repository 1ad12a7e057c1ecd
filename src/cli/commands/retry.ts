import type { Command } from 'commander';
import { actOnRunsCommand } from '../actOnRunsCommand.ts';
import { retryRuns } from '../api/actOnRuns.ts';
import type { CommandContext } from '../commandContext.ts';

export function addRetryCommand(program: Command, context: CommandContext): void {
  program
    .command('retry')
    .summary('queue failed or cancelled runs again')
    .description('Queue failed or cancelled runs again: a new attempt of the same run, from its last checkpoint.')
    .argument('<runs...>', 'numbers or ids of runs')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExamples:\n  warren retry 12')
    .action((runs: string[], options: { json?: boolean }) =>
      actOnRunsCommand(context, { act: retryRuns, ids: runs, done: 'queued again', json: options.json === true }),
    );
}
