import type { Command } from 'commander';
import { parseRunId } from '#src/base/terminal/arguments/runId.ts';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export function addShowCommand(program: Command, context: CommandContext): void {
  program
    .command('show')
    .summary('show everything about one run')
    .description('Show a run: configuration, metrics, attempts, events, artifacts and the end of its log.')
    .argument('<run>', 'number or id of the run')
    .option('--logs', 'print its log and follow it until the run has ended')
    .option('--lines <n>', 'log lines shown', wholeNumber('--lines', 0, 10_000), 10)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  warren show 12\n  warren show 12 --logs\n  warren show 12 --json')
    .action(async (run: string, options: { logs?: boolean; lines: number; json?: boolean }) => {
      const id = parseRunId(run);
      if (options.logs === true) {
        const { printLog } = await import('./followLog.ts');
        await printLog(context, id, { follow: true });
        return;
      }
      const { showRun } = await import('./showRun.ts');
      await showRun(context, id, options);
    });
  program
    .command('logs')
    .summary('print the log of one run')
    .description('Print the log of a run, line by line.')
    .argument('<run>', 'number or id of the run')
    .option('-f, --follow', 'print new lines as they come, until the run has ended')
    .option('--lines <n>', 'only its last lines; 0 with --follow: only new ones', wholeNumber('--lines', 0, 1_000_000))
    .addHelpText('after', '\nExamples:\n  warren logs 12\n  warren logs 12 --follow --lines 20')
    .action(async (run: string, options: { follow?: boolean; lines?: number }) => {
      const id = parseRunId(run);
      const { printLog } = await import('./followLog.ts');
      await printLog(context, id, { follow: options.follow === true, lines: options.lines });
    });
}
