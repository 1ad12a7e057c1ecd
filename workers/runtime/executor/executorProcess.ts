import type { ExecutorTask } from '#src/contracts/executorMessages.ts';
import type { LogLevel } from '#src/contracts/reports.ts';
import { ExecutorSession } from './executorSession.ts';
import { OutputLines } from './outputLines.ts';
import { serveTask } from '../shared/taskProcess.ts';

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

/** The executor process: it executes one run of a kind, whose module computes in a thread of `computeFile`. */
export function serveExecutor(computeFile: string): void {
  serveTask<ExecutorTask, ExecutorSession>({
    program: 'executor.js',
    vanish,
    open(send) {
      const session = new ExecutorSession({ computeFile, send });
      captureOutput(session);
      return session;
    },
  });
}
