import { Worker } from 'node:worker_threads';
import { type ErrorRecord, WarrenError } from '#src/contracts/errors.ts';
import type { ExecutorTask } from '#src/contracts/executorMessages.ts';
import type { LogLevel } from '#src/contracts/reports.ts';
import { setTensorflowVariables } from '#workers/tensor/tensorflowVariables.ts';
import { computeFailure } from '../shared/computeFailure.ts';
import { ControlBlock } from '../shared/controlBlock.ts';
import { OutputLines } from './outputLines.ts';
import type { ComputeThreadData, FromThread, StartThread, ThreadReport } from '../shared/threadMessages.ts';

export type ComputeEnd = { type: 'finished' } | { type: 'cancelled' } | { type: 'failed'; error: ErrorRecord };

export interface ComputeThreadOptions {
  /** The thread's entry, `dist/compute.js`. */
  file: string;
  onReports(reports: ThreadReport[]): void;
  /** A line that the thread wrote to its stdout (`info`) or stderr (`error`). */
  onLine(level: LogLevel, text: string): void;
}

/** The thread in which an experiment computes. It starts at once, loading its code, and waits for the task. */
export class ComputeThread {
  readonly control = new ControlBlock();
  /** How the thread ended; it has then exited and all its reports and lines have been handed over. */
  readonly ended: Promise<ComputeEnd>;
  private readonly worker: Worker;
  private end: ComputeEnd | null = null;

  constructor(private readonly options: ComputeThreadOptions) {
    const workerData: ComputeThreadData = { control: this.control.buffer };
    this.worker = new Worker(options.file, { workerData, stdout: true, stderr: true });
    const lines = (['info', 'error'] as const).map((level) => {
      const output = new OutputLines((text) => options.onLine(level, text));
      const stream = level === 'info' ? this.worker.stdout : this.worker.stderr;
      stream.on('data', (chunk: Buffer) => output.write(chunk));
      return output;
    });
    this.worker.on('message', (message: FromThread) => this.receive(message));
    this.worker.on('messageerror', (error) => this.conclude({ type: 'failed', error: computeFailure(error) }));
    this.worker.on('error', (error) => this.conclude({ type: 'failed', error: computeFailure(error) }));
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', (code) => {
        setImmediate(() => {
          for (const output of lines) output.end();
          resolve(this.end ?? this.unannounced(code));
        });
      });
    });
  }

  start(task: ExecutorTask): void {
    setTensorflowVariables(task.threads);
    this.worker.postMessage({ type: 'start', task } satisfies StartThread);
  }

  /** Asks the thread to end; its loops see the flag. */
  cancel(): void {
    this.control.cancel();
  }

  /** Ends the thread whatever it does. */
  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  private receive(message: FromThread): void {
    if (message.type === 'reports') this.options.onReports(message.reports);
    else this.conclude(message);
  }

  private conclude(end: ComputeEnd): void {
    this.end ??= end;
    void this.worker.terminate();
  }

  private unannounced(code: number): ComputeEnd {
    if (this.control.cancelled) return { type: 'cancelled' };
    const message = `the experiment ended its thread (exit code ${code}) before it was done`;
    return { type: 'failed', error: computeFailure(new WarrenError('RUN_FAILED', message)) };
  }
}
