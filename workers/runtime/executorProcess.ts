import type { ExecutorTask, FromExecutor, ToExecutor } from '../../src/contracts/executorMessages.ts';
import type { LogLevel } from '../../src/contracts/reports.ts';
import { assertNever } from '../../src/lib/assertNever.ts';
import { invariant } from '../../src/lib/invariant.ts';
import { ExecutorSession } from './executorSession.ts';
import { OutputLines } from './outputLines.ts';
import { raiseKillPreference } from './processMemory.ts';

/** What this process writes to its own stdout or stderr, as log lines of the run. */
function captureOutput(session: ExecutorSession): void {
  const capture = (stream: NodeJS.WriteStream, level: LogLevel): void => {
    const lines = new OutputLines((text) => session.line(level, text));
    stream.write = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
      lines.write(chunk);
      const callback = rest.find((argument) => typeof argument === 'function');
      if (callback !== undefined) process.nextTick(callback as () => void);
      return true;
    };
    process.on('exit', () => lines.end());
  };
  capture(process.stdout, 'info');
  capture(process.stderr, 'error');
}

/** Ends this process and whatever it has started, at once: nobody is there to listen any more. */
function vanish(): never {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // not the leader of a group: only this process is to end
  }
  process.exit(1);
}

/**
 * The executor process: forked with advanced serialization, it executes the one task that it is sent and exits. It ends at
 * once when its parent's channel closes.
 */
export function serveExecutor(computeFile: string): void {
  const send = process.send?.bind(process);
  invariant(send !== undefined, 'executor.js must be forked with an IPC channel');
  raiseKillPreference();
  let lastSent: Promise<void> = Promise.resolve();
  const session = new ExecutorSession({
    computeFile,
    send: (message: FromExecutor) => {
      lastSent = new Promise((resolve) => send(message, undefined, undefined, () => resolve()));
    },
  });
  const execute = async (task: ExecutorTask): Promise<never> => {
    await session.run(task);
    await lastSent;
    process.exit(0);
  };
  captureOutput(session);
  process.on('disconnect', vanish);
  if (!process.connected) vanish();
  // the parent decides about signals from a terminal
  process.on('SIGINT', () => undefined);
  process.on('message', (message: ToExecutor) => {
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
