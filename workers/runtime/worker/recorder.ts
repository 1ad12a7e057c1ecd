import { type ErrorRecord, toErrorRecord } from '#src/base/contracts/errors.ts';
import type { Report } from '#src/base/contracts/reports.ts';
import { isFinalDatabaseFailure } from './databaseFailure.ts';
import { retryUntilDone } from '../shared/retry.ts';

/** Batches written in one transaction at most. */
const MOST_BATCHES = 20;

export interface RecorderOptions {
  /** Writes reports of the attempt, all or none; throws LEASE_LOST when it holds the run no more. */
  record(reports: Report[]): Promise<void>;
  acknowledge(sequence: number): void;
  /** What is recorded can be recorded no more: the lease is lost, or the database refuses the data. */
  onRefused(error: ErrorRecord): void;
  onRetry(error: Error, failures: number, waitMs: number): void;
}

/**
 * Writes the batches of one attempt in order, for as long as it takes while the database is away, and acknowledges each
 * once it is safe. The executor sends no more than its credit, so little waits here.
 */
export class Recorder {
  private readonly waiting: { sequence: number; reports: Report[] }[] = [];
  private readonly abort = new AbortController();
  private running: Promise<void> | null = null;

  constructor(private readonly options: RecorderOptions) {}

  /** Batches that are not safe yet. */
  get backlog(): number {
    return this.waiting.length;
  }

  add(sequence: number, reports: Report[]): void {
    if (this.abort.signal.aborted) return;
    this.waiting.push({ sequence, reports });
    this.running ??= this.run();
  }

  /** Resolves when every batch is safe or has been given up. */
  async idle(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  /** Gives up what is not safe yet. */
  stop(): void {
    this.abort.abort();
    this.waiting.length = 0;
  }

  private async run(): Promise<void> {
    const { record, acknowledge, onRefused, onRetry } = this.options;
    const { signal } = this.abort;
    while (this.waiting.length > 0 && !signal.aborted) {
      const batches = this.waiting.slice(0, MOST_BATCHES);
      const reports = batches.flatMap((batch) => batch.reports);
      try {
        await retryUntilDone(() => record(reports), { isFinal: isFinalDatabaseFailure, signal, onRetry });
        this.waiting.splice(0, batches.length);
        for (const { sequence } of batches) acknowledge(sequence);
      } catch (thrown) {
        if (!signal.aborted) onRefused(toErrorRecord(thrown));
        this.stop();
      }
    }
    this.running = null;
  }
}
