import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactReport, LogLevel } from '#src/base/contracts/reports.ts';
import { isFullDisk } from '#src/base/lib/fullDisk.ts';
import type { Reporter } from '#workers/experiments/experiment.ts';
import type { ControlBlock } from '../shared/controlBlock.ts';
import { storableJson, storableText } from '../shared/storableText.ts';
import type { ThreadReport } from '../shared/threadMessages.ts';

const METRIC_NAME = /^[a-z0-9_][a-z0-9_.@-]*(\/[a-z0-9_.@-]+)*$/;
const LONGEST_NAME = 200;
const LONGEST_MESSAGE = 2_000;
/** Reports travel at once, but when there are more than a few within this time, those after them travel together. */
const POST_EVERY_MS = 50;
const POSTS_AT_ONCE = 20;
const POST_AT = 1000;
/** The thread waits when this many of its reports are not yet recorded: memory stays bounded while a database is away. */
const MOST_PENDING = 200_000;

export const CHECKPOINT_NAME = 'checkpoint/latest';

export interface ThreadReporterOptions {
  control: ControlBlock;
  /** Scratch folder for artifacts on their way. */
  folder: string;
  post(reports: ThreadReport[]): void;
  /** Unix milliseconds. */
  now(): number;
  /** Whether the run's sweep may stop it early; default false. */
  mayBePruned?: boolean;
}

function artifactPathProblem(name: string): string | null {
  if (name.length === 0 || name.length > LONGEST_NAME) return `1 to ${LONGEST_NAME} characters`;
  const parts = name.split('/');
  if (
    name.includes('\\') ||
    name.includes('\0') ||
    parts.some((part) => part === '' || part === '.' || part === '..')
  ) {
    return 'a relative path with / between its parts, none of them empty, "." or ".."';
  }
  return null;
}

type FileName = Omit<ArtifactReport, 'type' | 'sha256' | 'sizeBytes'>;

function checkpointOf(step: number): FileName {
  if (!Number.isSafeInteger(step) || step < 0) throw badInput(`checkpoint step ${step} is not a whole number from 0`);
  return { name: CHECKPOINT_NAME, role: 'checkpoint', mediaType: 'application/octet-stream', step };
}

/** The experiment's `Reporter` inside the compute thread: collects reports and posts them to the executor in order. */
export class ThreadReporter implements Reporter {
  private reports: ThreadReport[] = [];
  private windowStartMs = 0;
  private windowPosts = 0;
  private timer: NodeJS.Timeout | null = null;
  private files = 0;
  private readonly timings: Record<string, number> = {};
  private readonly notes: Record<string, unknown> = {};

  readonly holdCheckpoint: Reporter['holdCheckpoint'];

  constructor(private readonly options: ThreadReporterOptions) {
    const hold = (step: number, bytes: Uint8Array) =>
      this.add({ type: 'held', ...this.placeFile(checkpointOf(step), bytes) });
    this.holdCheckpoint = options.mayBePruned === true ? hold : undefined;
  }

  metric(name: string, step: number, value: number): void {
    if (!METRIC_NAME.test(name) || name.length > LONGEST_NAME) {
      throw badInput(`metric name ${JSON.stringify(name)}: expected a lower-case path such as "test/ndcg@10"`, name);
    }
    if (!Number.isSafeInteger(step) || step < 0) {
      throw badInput(`metric ${name}: step ${step} is not a whole number from 0 to 2^53 - 1`, name);
    }
    if (typeof value !== 'number') throw badInput(`metric ${name}: its value is a ${typeof value}, not a number`, name);
    this.add({ type: 'metric', name, step, value, timeMs: this.options.now() });
  }

  log(level: LogLevel, text: string): void {
    this.add({ type: 'log', level, text, timeMs: this.options.now() });
  }

  /** A line of the log that is an event of the run, too. */
  warning(message: string): void {
    this.log('warn', message);
    this.add({ type: 'warning', message: storableText(message, LONGEST_MESSAGE) });
  }

  /** The checkpoint cannot be used: call it before anything is computed. */
  restart(sha256: string, message: string): void {
    this.log('warn', message);
    this.add({ type: 'restart', sha256, message: storableText(message, LONGEST_MESSAGE) });
  }

  progress(fraction: number, message: string): void {
    this.add({ type: 'progress', fraction: Math.min(1, Math.max(0, fraction || 0)), message });
  }

  artifact(name: string, bytes: Uint8Array, mediaType: string): void {
    const problem = artifactPathProblem(name);
    if (problem !== null) throw badInput(`artifact name ${JSON.stringify(name)}: expected ${problem}`, name);
    if (name === CHECKPOINT_NAME) throw badInput(`artifact name "${name}" is reserved for checkpoints`, name);
    this.addFile({ name, role: 'output', mediaType }, bytes);
  }

  checkpoint(step: number, bytes: Uint8Array): void {
    this.addFile(checkpointOf(step), bytes);
  }

  timing(phase: string, seconds: number): void {
    this.timings[phase] = (this.timings[phase] ?? 0) + seconds;
  }

  note(name: string, value: unknown): void {
    this.notes[name] = storableJson(value);
  }

  /** Facts about where and on what the run computes, with the timings and notes so far. */
  environment(values: Record<string, unknown>): void {
    this.add({
      type: 'environment',
      values: { ...values, timings: { ...this.timings }, notes: { ...this.notes } },
    });
  }

  /** Posts what waits when its time has come; loops that ask for cancellation keep reports flowing. */
  postIfDue(): void {
    if (this.reports.length > 0 && this.isDue()) this.post();
  }

  post(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.reports.length === 0) return;
    const reports = this.reports;
    this.reports = [];
    this.windowPosts++;
    this.options.post(reports);
  }

  private isDue(): boolean {
    const now = performance.now();
    if (now - this.windowStartMs >= POST_EVERY_MS) {
      this.windowStartMs = now;
      this.windowPosts = 0;
    }
    return this.windowPosts < POSTS_AT_ONCE;
  }

  private add(report: ThreadReport): void {
    const { control } = this.options;
    this.reports.push(report);
    control.addPending(1);
    if (this.reports.length >= POST_AT || this.isDue()) this.post();
    else this.timer ??= setTimeout(() => this.post(), POST_EVERY_MS);
    if (control.pending >= MOST_PENDING) {
      this.post();
      control.waitForRoom(MOST_PENDING);
    }
  }

  private write(path: string, bytes: Uint8Array): void {
    const { folder } = this.options;
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, bytes);
    } catch (thrown) {
      if (!isFullDisk(thrown)) throw thrown;
      rmSync(path, { force: true });
      const message = `no room is left on the disk of the scratch folder ${folder}: free some`;
      throw new WarrenError('UNAVAILABLE', message, { cause: thrown });
    }
  }

  private addFile(artifact: FileName, bytes: Uint8Array): void {
    this.add({ type: 'file', ...this.placeFile(artifact, bytes) });
  }

  private placeFile(artifact: FileName, bytes: Uint8Array): { path: string; artifact: ArtifactReport } {
    const path = join(this.options.folder, `upload-${this.files++}`);
    this.write(path, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { path, artifact: { type: 'artifact', ...artifact, sha256, sizeBytes: bytes.byteLength } };
  }
}
