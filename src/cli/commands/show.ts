import type { Command } from 'commander';
import { parseRunId } from '../arguments/runId.ts';
import { wholeNumber } from '../arguments/amounts.ts';
import type { CommandContext } from '../commandContext.ts';

export function addShowCommand(program: Command, context: CommandContext): void {
  program
    .command('show')
    .summary('everything about one run')
    .description('Show a run: configuration, metrics, attempts, events, artifacts and the end of its log.')
    .argument('<run>', 'number or id of the run')
    .option('--logs', 'print its log and follow it until the run has ended')
    .option('--lines <n>', 'log lines shown', wholeNumber('--lines', 0, 10_000), 10)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  warren show 12\n  warren show 12 --logs\n  warren show 12 --json')
    .action(async (run: string, options: { logs?: boolean; lines: number; json?: boolean }) => {
      const id = parseRunId(run);
      if (options.logs === true) {
        const { followLog } = await import('../show/followLog.ts');
        await followLog(context, id);
        return;
      }
      const { showRun } = await import('../show/showRun.ts');
      await showRun(context, id, options);
    });
}
