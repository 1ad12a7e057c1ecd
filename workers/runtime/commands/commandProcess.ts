import type { CommandTask } from '#src/base/contracts/executorMessages.ts';
import { serveTask } from '../shared/taskProcess.ts';
import { CommandSession } from './commandSession.ts';

/** The process that watches over one user's program, and ends it when the worker is gone. */
export function serveCommand(): void {
  serveTask<CommandTask, CommandSession>({
    program: 'command.js',
    open: (send) => new CommandSession(send),
    vanish(session) {
      session.killProgram();
      process.exit(1);
    },
  });
}
