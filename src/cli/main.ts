import { createCommandContext } from './commandContext.ts';
import { createProgram } from './program.ts';
import { reportFailure } from './reportFailure.ts';

const context = createCommandContext();
try {
  await createProgram(context).parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportFailure(error, (line) => context.terminal.say(line));
}
