import type { Command } from 'commander';
import { badInput } from '#src/base/contracts/errors.ts';
import { actOnRunsCommand } from '#src/runs/command/actOnRunsCommand.ts';
import { prioritizeRuns } from '#src/runs/command/actOnRuns.ts';
import { parsePriority } from '#src/base/terminal/arguments/priority.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export function addPriorityCommand(program: Command, context: CommandContext): void {
  program
    .command('priority')
    .summary('let runs start earlier or later')
    .description('Change the place in the queue of runs that have not ended.')
    .usage('[options] <runs…> <priority>')
    .argument(
      '<runs...>',
      'numbers or ids of runs, then high (100), normal (1000), low (10000), or 1 (first) to 2097151',
    )
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nExamples:\n  warren priority 12 high\n  warren priority 12 13 14 low')
    .action((words: string[], options: { json?: boolean }) => {
      const ids = words.slice(0, -1);
      if (ids.length === 0) throw badInput('give runs and then their priority, such as `warren priority 12 high`');
      const priority = parsePriority(words.at(-1) ?? '');
      const act = prioritizeRuns(priority);
      return actOnRunsCommand(context, { act, ids, done: `priority ${priority}`, json: options.json === true });
    });
}
