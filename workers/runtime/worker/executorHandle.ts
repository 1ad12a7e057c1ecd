import { type ChildProcess, fork } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import type { ErrorRecord } from '#src/base/contracts/errors.ts';
import type { CommandTask, ExecutorTask, FromExecutor, ToExecutor } from '#src/base/contracts/executorMessages.ts';
import { computeEnvironment } from '#src/base/platform/processes/childEnvironment.ts';
import { memoryKills, memoryLimitBytes, residentBytes } from '../shared/processMemory.ts';

const READY_MS = 60_000;
const WATCH_MS = 1_000;
/** Beyond this share of the machine's memory an executor is ended before the system ends something at random. */
const MEMORY_SHARE = 0.9;
/** An executor that the system has killed while it held this share had most likely run out of memory. */
const NEAR_LIMIT = 0.75;
const KEPT_OUTPUT = 8_000;
const HEAP_EXHAUSTED = /heap out of memory|allocation failed.*process out of memory/i;

export interface ExecutorExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why we ended it; null when it ended by itself. */
  killedFor: ErrorRecord | null;
  /** It ended, by itself or by the system's hand, for want of memory. */
  outOfMemory: boolean;
  /** The end of what it wrote outside of the run's log, such as V8's last words. */
  lastOutput: string;
}

export interface ExecutorOptions {
  file: string;
  /** At least that of the worker itself: a computing executor gives way to whatever else the machine does. */
  niceness: number;
  /** Added to its environment. */
  variables?: Record<string, string>;
  /** Done when it has ended, before anybody is told: ends what it may have left. */
  cleanUp?: () => Promise<unknown>;
  /** It has done its task and waits for another. */
  onFree?: (executor: ExecutorHandle) => void;
}

/** A task that an executor has been given. Once it is done, nothing asked of it reaches the executor any more. */
export interface GivenTask {
  /** Resolves when the executor is done with it: with null where it waits for another task, else with how it ended. */
  done: Promise<ExecutorExit | null>;
  cancel(): void;
  prune(): void;
  acknowledge(sequence: number): void;
  /** Ends the executor and everything in its process group at once. */
  kill(reason: ErrorRecord): void;
}

/** An executor process as its parent sees it, from the fork to the end of its whole process group. */
export class ExecutorHandle {
  /** Resolves when the process has ended and all its messages have been handed over. */
  readonly ended: Promise<ExecutorExit>;
  private readonly child: ChildProcess;
  private killsBefore = memoryKills();
  private readonly limitBytes = memoryLimitBytes();
  private readonly timers: NodeJS.Timeout[] = [];
  private listener: ((message: FromExecutor) => void) | null = null;
  private killedFor: ErrorRecord | null = null;
  private largestBytes = 0;
  private lastOutput = '';
  private gone = false;
  /** Of a user's own program, which has a group of its own. */
  private programGroup: number | null = null;

  constructor(private readonly options: ExecutorOptions) {
    this.child = fork(options.file, [], {
      env: { ...computeEnvironment(), ...options.variables },
      serialization: 'advanced',
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.ended = this.watchEnd();
    const ready = setTimeout(() => this.kill({ code: 'WORKER_LOST', message: 'the executor did not start' }), READY_MS);
    this.timers.push(ready);
    this.child.on('message', (message: FromExecutor) => {
      if (message.type === 'ready') clearTimeout(ready);
      if (message.type === 'program') this.programGroup = message.pid;
      this.listener?.(message);
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.lastOutput = (this.lastOutput + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
      });
    }
    if (this.child.pid !== undefined && options.niceness > getPriority())
      lowerPriority(this.child.pid, options.niceness);
  }

  get isAlive(): boolean {
    return !this.gone;
  }

  /** Gives the executor a task; it may still be starting, but has no other. */
  start(task: ExecutorTask | CommandTask, listener: (message: FromExecutor) => void): GivenTask {
    this.killsBefore = memoryKills();
    this.largestBytes = 0;
    this.lastOutput = '';
    let isDone = false;
    const watching = setInterval(() => this.watchMemory(), WATCH_MS);
    const finish = (): void => {
      isDone = true;
      clearInterval(watching);
    };
    const done = new Promise<ExecutorExit | null>((resolve) => {
      this.listener = (message) => {
        if (message.type !== 'free') {
          listener(message);
          return;
        }
        this.listener = null;
        finish();
        resolve(null);
        this.options.onFree?.(this);
      };
      void this.ended.then((exit) => {
        finish();
        resolve(exit);
      });
    });
    this.send({ type: 'start', task });
    const whileGiven = (action: () => void): void => {
      if (!isDone) action();
    };
    return {
      done,
      cancel: () => whileGiven(() => this.send({ type: 'cancel' })),
      prune: () => whileGiven(() => this.send({ type: 'prune' })),
      acknowledge: (sequence) => whileGiven(() => this.send({ type: 'acknowledge', sequence })),
      kill: (reason) => whileGiven(() => this.kill(reason)),
    };
  }

  /** Ends the executor and everything in its process group at once. */
  kill(reason: ErrorRecord): void {
    if (this.gone) return;
    this.killedFor ??= reason;
    this.killGroup();
  }

  private send(message: ToExecutor<ExecutorTask | CommandTask>): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  private killGroup(): void {
    try {
      if (this.programGroup !== null) process.kill(-this.programGroup, 'SIGKILL');
    } catch {
      // it has ended
    }
    this.programGroup = null;
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      this.child.kill('SIGKILL');
    }
  }

  private watchMemory(): void {
    const bytes = this.child.pid === undefined ? null : residentBytes(this.child.pid);
    if (bytes === null) return;
    this.largestBytes = Math.max(this.largestBytes, bytes);
    if (bytes < MEMORY_SHARE * this.limitBytes) return;
    const gigabytes = (value: number): string => (value / 2 ** 30).toFixed(1);
    const message = `the run took ${gigabytes(bytes)} of ${gigabytes(this.limitBytes)} GiB of memory and was ended`;
    this.kill({ code: 'OUT_OF_MEMORY', message });
  }

  private async watchEnd(): Promise<ExecutorExit> {
    const { child } = this;
    const disconnected = new Promise<void>((resolve) => child.once('disconnect', () => resolve()));
    const exit = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.once('error', (error) => {
        this.lastOutput += error.message;
        if (child.pid === undefined) resolve({ code: null, signal: null });
      });
    });
    if (child.connected) await disconnected;
    this.gone = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.killGroup();
    await this.options.cleanUp?.();
    return { ...exit, killedFor: this.killedFor, outOfMemory: this.ranOutOfMemory(exit), lastOutput: this.lastOutput };
  }

  private ranOutOfMemory({ signal }: { signal: NodeJS.Signals | null }): boolean {
    if (this.killedFor !== null) return this.killedFor.code === 'OUT_OF_MEMORY';
    if (HEAP_EXHAUSTED.test(this.lastOutput)) return true;
    if (signal !== 'SIGKILL' && signal !== 'SIGABRT') return false;
    const kills = memoryKills();
    const systemKilled =
      signal === 'SIGKILL' && kills !== null && this.killsBefore !== null && kills > this.killsBefore;
    return systemKilled || this.largestBytes > NEAR_LIMIT * this.limitBytes;
  }
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // it has ended, or the system does not allow it
  }
}
