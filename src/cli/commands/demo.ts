import type { Command } from 'commander';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import type { DemoFlags } from '../demo/runDemo.ts';

export function addDemoCommand(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .summary('start everything and run real experiments')
    .description(
      'Start what `warren up` starts, queue experiments, show them live, compare what they found, and keep serving.',
    )
    .option('--exit', 'stop everything when the runs have ended')
    .option('--dataset <name>', 'dataset (default: amazon-beauty where it is found, else generated data)')
    .option(
      '--port <port>',
      'port of API and dashboard; without it the next free one from 4680 (WARREN_PORT)',
      wholeNumber('--port', 0, 65_535),
    )
    .addHelpText('after', '\nExamples:\n  warren demo\n  WARREN_DATA=~/datasets warren demo --exit')
    .action(async (flags: DemoFlags) => {
      const { runDemo } = await import('../demo/runDemo.ts');
      await runDemo(context, flags);
    });
}
