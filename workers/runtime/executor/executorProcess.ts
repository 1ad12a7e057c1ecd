import type { ExecutorTask, FromExecutor } from '#src/base/contracts/executorMessages.ts';
import { type LogLevel, LOG_BYTES, type Report, type MetricPointReport } from '#src/base/contracts/reports.ts';
import { ComputeThread, type ComputeEnd } from './computeThread.ts';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { CANCEL_GRACE_MS } from '#src/base/platform/timing.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { ArtifactPublisher } from './artifactPublisher.ts';
import { storeArtifact } from '../shared/artifactSink.ts';
import { computeFailure } from '../shared/computeFailure.ts';
import { ControlBlock } from '../shared/controlBlock.ts';
import { peakRssMb, residentBytes, resetPeakRss, threadCount } from '../shared/processMemory.ts';
import { ReportStream } from './reportStream.ts';
import type { FileReport, HeldReport, ThreadReport } from '../shared/threadMessages.ts';
import { OutputLines } from './outputLines.ts';
import { serveTask } from '../shared/taskProcess.ts';

const SAMPLE_MS = 2_000;
const MEGABYTE = 2 ** 20;

/**
 * Samples processor and memory of this process, thread included, every two seconds, at the start and at the end:
 * `system/cpu_percent` (100 is one core) and `system/memory_mb`, with whole seconds since the run's first start as step.
 */
class SystemSampler {
  private readonly timer: NodeJS.Timeout;
  private lastStep = -1;
  private lastCpu = process.cpuUsage();
  private lastMs = performance.now();

  constructor(
    private readonly startedAtMs: number,
    private readonly push: (report: MetricPointReport) => void,
  ) {
    this.sample();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.sample();
  }

  private sample(): void {
    const timeMs = Date.now();
    const step = Math.max(0, Math.floor((timeMs - this.startedAtMs) / 1000));
    if (step <= this.lastStep) return;
    this.lastStep = step;
    const now = performance.now();
    const cpu = process.cpuUsage(this.lastCpu);
    const elapsedMs = now - this.lastMs;
    const percent = elapsedMs < 1 ? 0 : (cpu.user + cpu.system) / 10 / elapsedMs;
    this.lastCpu = process.cpuUsage();
    this.lastMs = now;
    this.push({ type: 'metric', name: 'system/cpu_percent', step, value: Math.round(percent * 10) / 10, timeMs });
    const memory = process.memoryUsage.rss() / MEGABYTE;
    this.push({ type: 'metric', name: 'system/memory_mb', step, value: Math.round(memory * 10) / 10, timeMs });
  }
}

/** After this the thread is ended by force; the parent kills the whole executor a little later. */
const THREAD_GRACE_MS = CANCEL_GRACE_MS - 500;

/** A parent that still acknowledges would find the channel closed. */
const LAST_ACKNOWLEDGEMENT_MS = 500;

/** An executor that holds more than this once a run has ended makes way for a fresh one. */
const MOST_KEPT_BYTES = 300 * 2 ** 20;

interface ExecutorSessionOptions {
  thread: ComputeThread;
  /** Whether this process has executed nothing yet. */
  isFirst: boolean;
  send(message: FromExecutor): void;
}

/**
 * One attempt inside the executor: the compute thread, the ordered stream of its reports, its artifacts on their way.
 */
class ExecutorSession {
  private readonly control = new ControlBlock();
  private readonly stream: ReportStream;
  private publisher: ArtifactPublisher | null = null;
  private refusal: ComputeEnd | null = null;
  private hasBegun = false;
  private cancelled = false;
  private pruned = false;
  /** What a run that is stopped early leaves as its checkpoint. */
  private held: HeldReport | null = null;

  constructor(private readonly options: ExecutorSessionOptions) {
    options.thread.listen({
      onReports: (reports) => this.receive(reports),
      onLine: (level, text) => this.line(level, text),
    });
    this.stream = new ReportStream({
      send: (sequence, reports) => options.send({ type: 'reports', sequence, reports }),
      onSafe: (count) => this.control.removePending(count),
    });
  }

  /**
   * Executes the task to its end, whatever that is: the last message is `finished` or `failed`.
   * @returns Whether this process is as good as a fresh one for another task.
   */
  async run(task: ExecutorTask): Promise<boolean> {
    this.hasBegun = true;
    this.stream.limitLog(task.logBytes ?? LOG_BYTES);
    const isPeakOfTask = resetPeakRss();
    const threadsBefore = threadCount();
    this.publisher = this.createPublisher(task);
    const sampler = new SystemSampler(task.startedAtMs, (report) => this.push(report));
    const end = await this.options.thread.execute(task, this.control);
    sampler.stop();
    if (end.type === 'cancelled' && this.pruned && !this.cancelled) this.publishHeld();
    else if (end.type === 'cancelled') this.publisher.stop();
    await this.publisher.idle();
    this.push({ type: 'environment', values: { peakRssMb: peakRssMb() } });
    await this.stream.flush();
    await rm(task.workFolder, { recursive: true, force: true }).catch(() => undefined);
    this.options.send(this.outcome(end));
    const isSettled = this.stream.settled().then(() => true);
    const isAcknowledged = await Promise.race([isSettled, delay(LAST_ACKNOWLEDGEMENT_MS, false)]);
    return isAcknowledged && isPeakOfTask && this.isAsBefore(threadsBefore);
  }

  /** Whether the process has executed a task, and waits for another. */
  get waitsAfterOthers(): boolean {
    return !this.options.isFirst && !this.hasBegun;
  }

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.publisher?.stop();
    this.endThread();
  }

  /** Ends the thread as `cancel` does; what it has left is still stored, and the checkpoint that it held. */
  prune(): void {
    if (this.cancelled || this.pruned) return;
    this.pruned = true;
    this.endThread();
  }

  acknowledge(sequence: number): void {
    this.stream.acknowledge(sequence);
  }

  /** A line that the process or its thread wrote. */
  line(level: LogLevel, text: string): void {
    this.control.addPending(1);
    this.stream.log(level, text, Date.now());
  }

  /** Asks the thread to end, and makes it after the grace. */
  private endThread(): void {
    this.control.cancel();
    setTimeout(() => void this.options.thread.terminate(), THREAD_GRACE_MS).unref();
  }

  /** Nothing was to be stopped, and the task has left neither threads nor much memory behind. */
  private isAsBefore(threadsBefore: number): boolean {
    const wasEnded = this.cancelled || this.pruned || this.refusal !== null || !this.options.thread.isAlive;
    const bytes = residentBytes(process.pid);
    return !wasEnded && bytes !== null && bytes < MOST_KEPT_BYTES && threadCount() <= threadsBefore;
  }

  private outcome(end: ComputeEnd): FromExecutor {
    if (end.type !== 'failed' && this.refusal !== null && !this.cancelled) end = this.refusal;
    if (end.type === 'failed') return { type: 'failed', error: end.error };
    return { type: 'finished', outcome: end.type === 'finished' ? 'succeeded' : 'cancelled' };
  }

  /** Adds a report of the executor's own. */
  private push(report: Report): void {
    this.control.addPending(1);
    this.stream.push(report);
  }

  private receive(reports: ThreadReport[]): void {
    for (const report of reports) {
      if (report.type === 'log') this.stream.log(report.level, report.text, report.timeMs);
      else if (report.type === 'file') this.publish(report);
      else if (report.type === 'held') this.hold(report);
      else this.stream.push(report);
    }
  }

  private publish(report: FileReport): void {
    if (report.artifact.role === 'checkpoint') this.dropHeld();
    this.publisher?.publish(report.path, report.artifact);
  }

  private hold(report: HeldReport): void {
    this.control.removePending(1);
    this.dropHeld();
    this.held = report;
  }

  private dropHeld(): void {
    if (this.held !== null) void rm(this.held.path, { force: true });
    this.held = null;
  }

  private publishHeld(): void {
    if (this.held === null) return;
    this.control.addPending(1);
    this.publisher?.publish(this.held.path, this.held.artifact);
  }

  private createPublisher(task: ExecutorTask): ArtifactPublisher {
    const warn = (name: string, error: Error, failures: number): void => {
      if (failures === 1) this.line('warn', `artifact ${name} cannot be stored yet, trying again: ${error.message}`);
    };
    return new ArtifactPublisher({
      store: (file, report, signal) =>
        storeArtifact(file, report, {
          sink: task.artifactSink,
          attempt: task.attempt,
          signal,
          onRetry: (error, failures) => warn(report.name, error, failures),
        }),
      onStored: (report) => this.stream.push(report),
      onDropped: () => this.control.removePending(1),
      onRefused: (_report, thrown) => {
        this.control.removePending(1);
        this.line('error', coerceError(thrown).message);
        this.refusal ??= { type: 'failed', error: computeFailure(thrown) };
        this.endThread();
      },
    });
  }
}

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
