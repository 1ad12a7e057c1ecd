import type { ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import type { LogLevel } from '#src/base/contracts/reports.ts';
import { ComputeThread } from './computeThread.ts';
import { ExecutorSession } from './executorSession.ts';
import { OutputLines } from './outputLines.ts';
import { serveTask } from '../shared/taskProcess.ts';

/** What this process writes to its own stdout or stderr, as lines. */
function captureOutput(onLine: (level: LogLevel, text: string) => void): void {
  const capture = (stream: NodeJS.WriteStream, level: LogLevel): void => {
    const lines = new OutputLines((text) => onLine(level, text));
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

/** The executor process: it executes runs of kinds, one after another, whose modules compute in a thread of `computeFile`. */
export function serveExecutor(computeFile: string): void {
  const thread = new ComputeThread(computeFile);
  let session: ExecutorSession | null = null;
  // what a run has left behind may still fail: the next one is not to hear of it
  void thread.exited.then(() => {
    if (session?.waitsAfterOthers) process.exit(1);
  });
  let served = 0;
  captureOutput((level, text) => session?.line(level, text));
  serveTask<ExecutorTask, ExecutorSession>({
    program: 'executor.js',
    vanish,
    open(send) {
      session = new ExecutorSession({ thread, send, isFirst: served++ === 0 });
      return session;
    },
  });
}
