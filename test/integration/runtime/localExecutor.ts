import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutorTask, FromExecutor, ToExecutor } from '#src/base/contracts/executorMessages.ts';
import type { Report } from '#src/base/contracts/reports.ts';
import { atEndOfFile } from '#test/integration/support/atEndOfFile.ts';

export interface ExecutorResult {
  reports: Report[];
  sequences: number[];
  end: FromExecutor | null;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

export interface RunningExecutor {
  child: ChildProcess;
  task: ExecutorTask;
  reports: Report[];
  send(message: ToExecutor): void;
  result: Promise<ExecutorResult>;
}

export interface ExecutorChoice {
  file: string;
  kind: string;
  task?: Partial<ExecutorTask>;
  /** Whether batches are acknowledged as they come; default true. */
  acknowledges?: boolean;
  execArgv?: string[];
}

/** Forks an executor and has it execute one task without any services, as `warren run --local` does. */
export async function startExecutor(choice: ExecutorChoice): Promise<RunningExecutor> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-executor-'));
  atEndOfFile(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const task: ExecutorTask = {
    runId: '00000000-0000-4000-8000-000000000000',
    attempt: 1,
    kind: choice.kind,
    parameters: {},
    dataset: null,
    seed: 7,
    startedAtMs: Date.now(),
    threads: 1,
    dataFolders: [],
    offline: true,
    cacheFolder: join(folder, 'cache'),
    earlierFingerprints: [],
    workFolder: join(folder, 'work'),
    inputs: {},
    checkpoint: null,
    artifactSink: { folder: join(folder, 'artifacts') },
    backend: null,
    arithmetic: 'plain',
    ...choice.task,
  };
  const child = fork(choice.file, [], {
    serialization: 'advanced',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: choice.execArgv ?? [],
  });
  const result: ExecutorResult = { reports: [], sequences: [], end: null, exitCode: null, signal: null, stderr: '' };
  child.stderr?.on('data', (chunk: Buffer) => {
    result.stderr += chunk.toString('utf8');
  });
  const send = (message: ToExecutor): void => {
    child.send(message, () => undefined); // it may have ended meanwhile
  };
  child.on('message', (message: FromExecutor) => {
    if (message.type === 'ready') send({ type: 'start', task });
    else if (message.type === 'reports') {
      result.reports.push(...message.reports);
      result.sequences.push(message.sequence);
      if (choice.acknowledges !== false) send({ type: 'acknowledge', sequence: message.sequence });
    } else result.end = message;
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      result.exitCode = code;
      result.signal = signal;
      resolve();
    });
  });
  const disconnected = new Promise<void>((resolve) => child.once('disconnect', () => resolve()));
  return {
    child,
    task,
    reports: result.reports,
    send,
    result: Promise.all([exited, disconnected]).then(() => result),
  };
}
