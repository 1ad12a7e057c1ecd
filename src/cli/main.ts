import { createCommandContext } from './commandContext.ts';
import type { Command } from 'commander';
import { inTypedWords } from './arguments/typedWords.ts';
import { takeSecrets } from '../platform/processes/handedSecrets.ts';
import { createProgram } from './program.ts';
import { reportFailure } from './reportFailure.ts';

const context = createCommandContext();
/** The command that is executed, once its words are understood. */
let command: Command | null = null;
try {
  takeSecrets();
  // before the commands are made: their help lists kinds, too
  if ((process.env.WARREN_KINDS ?? '').trim() !== '') await loadKinds();
  const program = createProgram(context).hook('preAction', (_, executed) => {
    command = executed;
  });
  await program.parseAsync(process.argv);
} catch (error) {
  const told = command === null ? error : inTypedWords(error, command);
  process.exitCode = reportFailure(told, (line) => context.terminal.say(line));
}

async function loadKinds(): Promise<void> {
  const { loadKindModules } = await import('../platform/kindModules/loadKindModules.ts');
  for (const { module, problem } of await loadKindModules(context.environment())) {
    // `doctor` has a finding for each
    if (problem !== null && process.argv[2] !== 'doctor')
      context.terminal.say(`warren: WARREN_KINDS: ${module} is left out: ${problem}`);
  }
}
