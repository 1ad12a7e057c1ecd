import type { CommandTask, FromExecutor, ToExecutor } from '../../../src/contracts/executorMessages.ts';
import { assertNever } from '../../../src/lib/assertNever.ts';
import { invariant } from '../../../src/lib/invariant.ts';
import { raiseKillPreference } from '../processMemory.ts';
import { CommandSession } from './commandSession.ts';

/**
 * The process that watches over one user's program: forked with advanced serialization, it executes the task that it is sent
 * and exits. When its parent's channel closes, it ends the program and itself at once.
 */
export function serveCommand(): void {
  const send = process.send?.bind(process);
  invariant(send !== undefined, 'command.js must be forked with an IPC channel');
  raiseKillPreference();
  let lastSent: Promise<void> = Promise.resolve();
  const session = new CommandSession((message: FromExecutor) => {
    lastSent = new Promise((resolve) => send(message, undefined, undefined, () => resolve()));
  });
  const execute = async (task: CommandTask): Promise<never> => {
    await session.run(task);
    await lastSent;
    process.exit(0);
  };
  const vanish = (): never => {
    session.killProgram();
    process.exit(1);
  };
  process.on('disconnect', vanish);
  if (!process.connected) vanish();
  // the parent decides about signals from a terminal
  process.on('SIGINT', () => undefined);
  process.on('message', (message: ToExecutor<CommandTask>) => {
    switch (message.type) {
      case 'start':
        void execute(message.task);
        break;
      case 'cancel':
        session.cancel();
        break;
      case 'acknowledge':
        session.acknowledge(message.sequence);
        break;
      default:
        assertNever(message);
    }
  });
  send({ type: 'ready' } satisfies FromExecutor);
}
