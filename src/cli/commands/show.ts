import type { Command } from 'commander';
import { parseRunId } from '../arguments/runId.ts';
import { wholeNumber } from '../arguments/wholeNumber.ts';
import type { CommandContext } from '../commandContext.ts';
import { followLog } from '../show/followLog.ts';
import { showRun } from '../show/showRun.ts';

export function addShowCommand(program: Command, context: CommandContext): void {
  program
    .command('show')
    .summary('everything about one run')
    .description('Show a run: configuration, metrics, attempts, events, artifacts and the end of its log.')
    .argument('<run>', 'number or id of the run')
    .option('--logs', 'print its log, and go on until the run has ended')
    .option('--lines <n>', 'log lines shown', wholeNumber('--lines', 0, 10_000), 10)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  warren show 12\n  warren show 12 --logs\n  warren show 12 --json')
    .action(async (run: string, options: { logs?: boolean; lines: number; json?: boolean }) => {
      const id = parseRunId(run);
      await (options.logs === true ? followLog(context, id) : showRun(context, id, options));
    });
}
