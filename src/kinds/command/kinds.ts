import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

const EXAMPLES = `
Examples:
  warren kinds
  WARREN_KINDS=./my-kinds warren kinds --json
  warren run sasrec --help-kind                 the parameters and presets of a kind`;

export function addKindsCommand(program: Command, context: CommandContext): void {
  program
    .command('kinds')
    .summary('list what can be run')
    .description('List the kinds of runs: Warren’s own, and those that the modules of WARREN_KINDS add.')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { json?: boolean }) => {
      const { listKinds } = await import('./listKinds.ts');
      listKinds(context, options.json === true);
    });
}
