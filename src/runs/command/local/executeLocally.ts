import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ExecutorTask, FromExecutor, ToExecutor } from '#src/base/contracts/executorMessages.ts';
import type { Report } from '#src/base/contracts/reports.ts';
import { CANCEL_GRACE_MS } from '#src/base/platform/timing.ts';
import { computeEnvironment } from '#src/base/platform/processes/childEnvironment.ts';
import { exitOf, stopProcess } from '#src/base/platform/processes/processTree.ts';

export interface LocalExecution {
  task: ExecutorTask;
  variables: NodeJS.ProcessEnv;
  onReports(reports: readonly Report[]): void;
  /** Cancels the run: it is asked to stop, and killed when it does not. */
  signal: AbortSignal;
}

/** Milliseconds beyond the executor's own grace before it is killed. */
const KILL_AFTER_MS = CANCEL_GRACE_MS + 1000;

/**
 * Executes one task in an executor process of its own, without any service, and resolves when all of its reports were
 * given. Throws the run's own error, CANCELLED when the signal was aborted, and RUN_FAILED when the process dies.
 */
export async function executeLocally({ task, variables, onReports, signal }: LocalExecution): Promise<void> {
  await mkdir(task.workFolder, { recursive: true });
  // A process group of its own: Ctrl-C in the terminal reaches us alone, and we ask it to stop.
  const child = fork(builtFile('executor.js'), [], {
    env: computeEnvironment(variables),
    serialization: 'advanced',
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let killing: NodeJS.Timeout | undefined;
  const cancel = () => {
    send(child, { type: 'cancel' });
    killing = setTimeout(() => void stopProcess(child, { graceMs: 0, group: true }), KILL_AFTER_MS);
  };
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel(); // while the folder was made
  try {
    const end = await untilEnd(child, task, onReports);
    if (end === 'cancelled' || (end === 'died' && signal.aborted))
      throw new WarrenError('CANCELLED', 'the run was cancelled');
    if (end === 'died') {
      const { code, signal: by } = await exitOf(child);
      throw new WarrenError(
        'RUN_FAILED',
        `the executor process died: ${by === null ? `exit code ${code}` : `signal ${by}, as when memory is short`}`,
      );
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(killing);
    await stopProcess(child, { graceMs: KILL_AFTER_MS, group: true });
    await rm(task.workFolder, { recursive: true, force: true });
  }
}

function send(child: ChildProcess, message: ToExecutor): void {
  if (child.connected) child.send(message, () => {});
}

function untilEnd(
  child: ChildProcess,
  task: ExecutorTask,
  onReports: (reports: readonly Report[]) => void,
): Promise<'succeeded' | 'cancelled' | 'died'> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve('died'));
    child.on('message', (message: FromExecutor) => {
      switch (message.type) {
        case 'ready':
          send(child, { type: 'start', task });
          break;
        case 'reports':
          onReports(message.reports);
          send(child, { type: 'acknowledge', sequence: message.sequence });
          break;
        case 'program':
          break; // commands alone have one
        case 'free':
          break; // only where it may stay
        case 'finished':
          resolve(message.outcome);
          break;
        case 'failed':
          reject(
            new WarrenError(
              message.error.code,
              message.error.message,
              message.error.path === undefined ? {} : { path: message.error.path },
            ),
          );
          break;
        default:
          assertNever(message);
      }
    });
  });
}

/** `<home>/local/<time>`: where the artifacts of a local run are left, one folder per seed below it. */
export function localFolder(home: string, now: Date): string {
  return join(home, 'local', now.toISOString().replace(/[:.]/g, '-'));
}
