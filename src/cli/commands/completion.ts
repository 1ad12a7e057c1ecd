import { Argument, type Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { COMPLETION_SCRIPTS, type Shell } from '../completion/completionScripts.ts';

const HELP = `
Put the line of your shell where it reads it at its start:
  bash   source <(warren completion bash)       in ~/.bashrc
  zsh    source <(warren completion zsh)        in ~/.zshrc, after compinit
  fish   warren completion fish | source        in ~/.config/fish/config.fish`;

export function addCompletionCommand(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .summary('print the script for completion in your shell')
    .description(
      'Print the script with which a shell completes commands, options, kinds, presets, datasets, parameters, projects and views.',
    )
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(COMPLETION_SCRIPTS)))
    .addHelpText('after', HELP)
    .action((shell: Shell) => context.terminal.print(COMPLETION_SCRIPTS[shell].trimEnd()));
  program
    .command('complete', { hidden: true })
    .description('Print what the last of some words may become; what `completion` prints calls it.')
    .argument('[words...]', 'after --: all words after warren')
    .action(async (words: string[]) => {
      const { completeCommand } = await import('../completion/completeCommand.ts');
      await completeCommand(context, program, words);
    });
}
