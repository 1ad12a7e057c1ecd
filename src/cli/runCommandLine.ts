import type { Command } from 'commander';
import { takeSecrets } from '../base/platform/processes/handedSecrets.ts';
import { inTypedWords } from '../base/terminal/arguments/typedWords.ts';
import type { CommandContext } from '../base/terminal/commandContext.ts';
import { createProgram } from './program.ts';
import { reportFailure } from '../base/terminal/reportFailure.ts';

/** Executes the command that the words name. Says what went wrong, throws nothing, and answers the exit code. */
export async function runCommandLine(context: CommandContext): Promise<number> {
  const { words, variables, terminal } = context;
  /** The command that is executed, once its words are understood. */
  let command: Command | null = null;
  try {
    takeSecrets(variables);
    // before the commands are made: their help lists kinds, too
    if ((variables.WARREN_KINDS ?? '').trim() !== '') await loadKinds(context);
    const program = createProgram(context).hook('preAction', (_, executed) => {
      command = executed;
    });
    await program.parseAsync(words, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    const told = command === null ? error : inTypedWords(error, command);
    return reportFailure(told, (line) => terminal.say(line), variables);
  }
}

async function loadKinds(context: CommandContext): Promise<void> {
  const { loadKindModules } = await import('../kinds/modules/loadKindModules.ts');
  for (const { module, problem } of await loadKindModules(context.environment())) {
    // `doctor` has a finding for each
    if (problem !== null && context.words[0] !== 'doctor')
      context.terminal.say(`warren: WARREN_KINDS: ${module} is left out: ${problem}`);
  }
}
