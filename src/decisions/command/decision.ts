import type { Command } from 'commander';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

/** The bodies of the commands, loaded when one of them runs. */
const bodies = () => import('./decideCommand.ts');

export function addDecisionCommand(program: Command, context: CommandContext): void {
  const decision = program
    .command('decision')
    .summary('list, follow or end adaptive comparisons (`warren compare A B --decide METRIC`)')
    .description('Show, follow or end adaptive comparisons, which `warren compare A B --decide METRIC` starts.');
  decision
    .command('show')
    .description('Show an adaptive comparison with its tests so far.')
    .argument('<decision>', 'number or id')
    .option('--wait', 'follow it to its end')
    .option('--json', 'print JSON')
    .action(async (reference: string, options: { wait?: boolean; json?: boolean }) =>
      (await bodies()).showDecisionCommand(context, reference, options),
    );
  decision
    .command('ls')
    .description('List adaptive comparisons, newest first.')
    .option('--project <name>', 'only those of this project')
    .option('--limit <n>', 'rows at most', wholeNumber('--limit', 1, 100), 20)
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; limit: number; json?: boolean }) =>
      (await bodies()).listDecisionsCommand(context, options),
    );
  decision
    .command('cancel')
    .description('End an adaptive comparison, and cancel those of its own runs that have not ended.')
    .argument('<decision>', 'number or id')
    .option('--json', 'print JSON')
    .action(async (reference: string, options: { json?: boolean }) =>
      (await bodies()).cancelDecisionCommand(context, reference, options),
    );
}
