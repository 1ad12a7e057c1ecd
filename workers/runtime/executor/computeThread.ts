import { Worker } from 'node:worker_threads';
import { type ErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import type { ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import type { LogLevel } from '#src/base/contracts/reports.ts';
import { setTensorflowVariables } from '#workers/tensor/tensorflowVariables.ts';
import { computeFailure } from '../shared/computeFailure.ts';
import type { ControlBlock } from '../shared/controlBlock.ts';
import { OutputLines } from './outputLines.ts';
import type { FromThread, StartThread, ThreadReport } from '../shared/threadMessages.ts';

export type ComputeEnd = { type: 'finished' } | { type: 'cancelled' } | { type: 'failed'; error: ErrorRecord };

export interface ThreadListener {
  onReports(reports: ThreadReport[]): void;
  /** A line that the thread wrote to its stdout (`info`) or stderr (`error`). */
  onLine(level: LogLevel, text: string): void;
}

/** The thread in which experiments compute, one after another. It starts at once, loading its code, and waits for a task. */
export class ComputeThread {
  private readonly worker: Worker;
  private readonly outputs: OutputLines[];
  /** How the thread ended; it has then exited and all its reports and lines have been handed over. */
  readonly exited: Promise<ComputeEnd>;
  private listener: ThreadListener | null = null;
  private control: ControlBlock | null = null;
  private end: ComputeEnd | null = null;
  private onFinished: (() => void) | null = null;
  private hasExited = false;

  /** @param file The thread's entry, `dist/compute.js`. */
  constructor(file: string) {
    this.worker = new Worker(file, { stdout: true, stderr: true });
    this.outputs = (['info', 'error'] as const).map((level) => {
      const output = new OutputLines((text) => this.listener?.onLine(level, text));
      const stream = level === 'info' ? this.worker.stdout : this.worker.stderr;
      stream.on('data', (chunk: Buffer) => output.write(chunk));
      return output;
    });
    this.worker.on('message', (message: FromThread) => this.receive(message));
    this.worker.on('messageerror', (error) => this.conclude({ type: 'failed', error: computeFailure(error) }));
    this.worker.on('error', (error) => this.conclude({ type: 'failed', error: computeFailure(error) }));
    this.exited = new Promise((resolve) => {
      this.worker.once('exit', (code) => {
        this.hasExited = true;
        setImmediate(() => {
          this.endLines();
          resolve(this.end ?? this.unannounced(code));
        });
      });
    });
  }

  /** Whether it can be given a task. */
  get isAlive(): boolean {
    return !this.hasExited && this.end === null;
  }

  /** From now on, what the thread tells goes to this listener. */
  listen(listener: ThreadListener): void {
    this.listener = listener;
  }

  /**
   * Executes a task. Resolves when that has ended and everything that it told has been handed over; the thread then waits
   * for another task, or has exited.
   */
  async execute(task: ExecutorTask, control: ControlBlock): Promise<ComputeEnd> {
    this.control = control;
    setTensorflowVariables(task.threads);
    const finished = new Promise<ComputeEnd>((resolve) => {
      this.onFinished = () =>
        setImmediate(() => {
          this.endLines();
          resolve({ type: 'finished' });
        });
    });
    this.worker.postMessage({ type: 'start', task, control: control.buffer } satisfies StartThread);
    return await Promise.race([finished, this.exited]);
  }

  /** Ends the thread whatever it does. */
  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  private receive(message: FromThread): void {
    if (message.type === 'reports') this.listener?.onReports(message.reports);
    else if (message.type === 'finished' && message.stays) this.onFinished?.();
    else this.conclude(message);
  }

  private conclude(end: ComputeEnd): void {
    this.end ??= end;
    void this.worker.terminate();
  }

  private endLines(): void {
    for (const output of this.outputs) output.end();
  }

  private unannounced(code: number): ComputeEnd {
    if (this.control?.cancelled === true) return { type: 'cancelled' };
    const message = `the experiment ended its thread (exit code ${code}) before it was done`;
    return { type: 'failed', error: computeFailure(new WarrenError('RUN_FAILED', message)) };
  }
}
