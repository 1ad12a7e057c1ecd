import { type ChildProcess, spawn } from 'node:child_process';
import { exitOf, type ProcessExit } from '#src/base/platform/processes/processTree.ts';

/** After the program's own end, what it has started in its group may still write for this long. */
const DRAIN_MS = 500;

export interface ProgramOptions {
  command: readonly string[];
  folder: string;
  environment: NodeJS.ProcessEnv;
  onOutput(stream: 'stdout' | 'stderr', chunk: Buffer): void;
}

export type ProgramExit = ProcessExit & {
  /** Why it could not be started; null when it was. */
  problem: NodeJS.ErrnoException | null;
};

/** A program in a process group of its own. */
export interface Program {
  /** Undefined when it could not be started. */
  pid: number | undefined;
  /** Resolves when it has ended, its output is read and nothing of its group is left. */
  ended: Promise<ProgramExit>;
  /** Asks the whole group to end, and kills it after `graceMs`. */
  terminate(graceMs: number): void;
  kill(): void;
  /** Stops and goes on reading what it writes: it waits meanwhile. */
  pause(): void;
  resume(): void;
}

export function startProgram({ command, folder, environment, onOutput }: ProgramOptions): Program {
  const [file = '', ...parameters] = command;
  const child: ChildProcess = spawn(file, parameters, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let problem: NodeJS.ErrnoException | null = null;
  let isPaused = false;
  child.on('error', (error) => {
    problem = error;
  });
  child.stdout?.on('data', (chunk: Buffer) => onOutput('stdout', chunk));
  child.stderr?.on('data', (chunk: Buffer) => onOutput('stderr', chunk));
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // the group has ended
    }
  };
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const see = async (): Promise<ProgramExit> => {
    if (child.pid === undefined) {
      await closed;
      return { code: null, signal: null, problem };
    }
    const exit = await exitOf(child);
    let turns = 0;
    const draining = setInterval(() => {
      if (isPaused) return; // what it wrote is still to be read
      turns += 1;
      signal('SIGKILL');
      // what has left the group and still holds the pipes is not waited for
      if (turns > 1) for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    }, DRAIN_MS);
    await closed;
    clearInterval(draining);
    signal('SIGKILL');
    return { ...exit, problem };
  };
  const ended = see();
  return {
    pid: child.pid,
    ended,
    terminate: (graceMs) => {
      signal('SIGTERM');
      const timer = setTimeout(() => signal('SIGKILL'), graceMs);
      void ended.then(() => clearTimeout(timer));
    },
    kill: () => signal('SIGKILL'),
    pause: () => {
      isPaused = true;
      child.stdout?.pause();
      child.stderr?.pause();
    },
    resume: () => {
      isPaused = false;
      child.stdout?.resume();
      child.stderr?.resume();
    },
  };
}
