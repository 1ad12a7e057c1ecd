import { createCommandContext } from './commandContext.ts';
import { createProgram } from './program.ts';
import { reportFailure } from './reportFailure.ts';

const context = createCommandContext();
try {
  // before the commands are made: their help lists kinds, too
  if ((process.env.WARREN_KINDS ?? '').trim() !== '') await loadKinds();
  await createProgram(context).parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportFailure(error, (line) => context.terminal.say(line));
}

async function loadKinds(): Promise<void> {
  const { loadKindModules } = await import('../platform/kindModules/loadKindModules.ts');
  for (const { module, problem } of await loadKindModules(context.environment())) {
    // `doctor` has a finding for each
    if (problem !== null && process.argv[2] !== 'doctor')
      context.terminal.say(`warren: WARREN_KINDS: ${module} is left out: ${problem}`);
  }
}
