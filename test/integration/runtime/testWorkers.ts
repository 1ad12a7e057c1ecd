import { type ChildProcess, fork } from 'node:child_process';
import { exitOf, type ProcessExit, stopProcess } from '#src/base/platform/processes/processTree.ts';
import { atEndOfFile } from '../support/atEndOfFile.ts';
import { waitUntil } from '../support/waitUntil.ts';

export interface TestProgram {
  pid: number;
  /** What it has written to stderr so far. */
  output(): string;
  exited: Promise<ProcessExit>;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<ProcessExit>;
  /** `kill -9`, of this process alone. */
  kill(): Promise<void>;
}

/** Starts a built program and waits until it says that it is ready. Whatever is left is ended after the tests. */
export async function startProgram(file: string, environment: Record<string, string>): Promise<TestProgram> {
  const child: ChildProcess = fork(file, [], {
    env: { ...process.env, WARREN_LOG: 'info', WARREN_THREADS: '1', ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [], // not the test runner's
  });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  let isReady = false;
  child.on('message', () => {
    isReady = true;
  });
  const exited = exitOf(child);
  atEndOfFile(() => stopProcess(child, { graceMs: 0, signal: 'SIGKILL' }));
  const ready = (): boolean => {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}:\n${output}`);
    return isReady;
  };
  await waitUntil(`${file} is ready:\n${output}`, ready, 60_000);
  return {
    pid: child.pid!,
    output: () => output,
    exited,
    stop: () => stopProcess(child, { graceMs: 15_000 }),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
