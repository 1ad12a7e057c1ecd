import type { FromExecutor, ToExecutor } from '#src/base/contracts/executorMessages.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { raiseKillPreference } from './processMemory.ts';

/** What a process that a worker has forked does with one task. */
export interface TaskSession<Task> {
  /**
   * Resolves when the task has ended, either way, and its end is reported: true where this process may execute another,
   * and everything that was reported is acknowledged.
   */
  run(task: Task): Promise<boolean>;
  cancel(): void;
  /** As `cancel`, but a checkpoint is left first. */
  prune(): void;
  acknowledge(sequence: number): void;
}

export interface TaskProcess<Session> {
  /** The program's file, for the message when somebody starts it by hand. */
  program: string;
  /** Makes the session of the next task, which reports through `send`. */
  open(send: (message: FromExecutor) => void): Session;
  /** Ends this process and all that it has started, at once: nobody is there to listen any more. */
  vanish(session: Session): never;
}

/**
 * Serves a worker from a process that it has forked with advanced serialization: executes the task that it is sent, and
 * others after it where its session allows, else exits. It vanishes at once when its parent's channel closes.
 */
export function serveTask<Task, Session extends TaskSession<Task>>({
  program,
  open,
  vanish,
}: TaskProcess<Session>): void {
  const send = process.send?.bind(process);
  invariant(send !== undefined, `${program} must be forked with an IPC channel`);
  raiseKillPreference();
  let lastSent: Promise<void> = Promise.resolve();
  const report = (message: FromExecutor): void => {
    lastSent = new Promise((resolve) => send(message, undefined, undefined, () => resolve()));
  };
  let session = open(report);
  /** What the worker said of the task before may still come after that has ended. */
  let isLate = false;
  const execute = async (task: Task): Promise<void> => {
    isLate = false;
    if (await session.run(task)) {
      session = open(report);
      isLate = true;
      report({ type: 'free' });
    } else {
      await lastSent;
      process.exit(0);
    }
  };
  process.on('disconnect', () => vanish(session));
  if (!process.connected) vanish(session);
  // the parent decides about signals from a terminal
  process.on('SIGINT', () => undefined);
  process.on('message', (message: ToExecutor<Task>) => {
    if (isLate && message.type !== 'start') return;
    switch (message.type) {
      case 'start':
        void execute(message.task);
        break;
      case 'cancel':
        session.cancel();
        break;
      case 'prune':
        session.prune();
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
