import type { Command } from 'commander';
import { actOnRunsCommand } from '../actOnRunsCommand.ts';
import { cancelRuns } from '../api/actOnRuns.ts';
import type { CommandContext } from '../commandContext.ts';

export function addCancelCommand(program: Command, context: CommandContext): void {
  program
    .command('cancel')
    .summary('stop runs')
    .description('Stop runs: one that waits ends at once, one that runs within two seconds. What it has logged stays.')
    .argument('<runs...>', 'numbers or ids of runs')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExamples:\n  warren cancel 12\n  warren cancel 12 13 14')
    .action((runs: string[], options: { json?: boolean }) =>
      actOnRunsCommand(context, { act: cancelRuns, ids: runs, done: 'cancelled', json: options.json === true }),
    );
}
