import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

/** The bodies of the commands, loaded when one of them runs. */
const bodies = () => import('./queueCommands.ts');

export function addQueueCommand(program: Command, context: CommandContext): void {
  const queue = program
    .command('queue')
    .summary('show, pause or resume the queue')
    .description('Show how many runs wait, and what is paused.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  warren queue\n  warren queue pause\n  warren queue pause command')
    .action(async (options: { json?: boolean }) => (await bodies()).showQueue(context, options));
  const actions = [
    ['pause', 'Let workers begin no more runs until it is resumed, whatever is restarted; those under way go on.'],
    ['resume', 'End a pause.'],
  ] as const;
  for (const [name, description] of actions) {
    queue
      .command(name)
      .description(description)
      .argument('[kind]', 'only runs of this kind, such as command (default: all)')
      .option('--json', 'print what is paused as JSON')
      .action(async (...[kind, , command]: [string | undefined, object, Command]) =>
        (await bodies()).changePause(context, name, { kind, ...command.optsWithGlobals<{ json?: boolean }>() }),
      );
  }
}
