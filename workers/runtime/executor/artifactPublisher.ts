import { rm } from 'node:fs/promises';
import type { ArtifactReport } from '#src/base/contracts/reports.ts';

interface Waiting {
  file: string;
  report: ArtifactReport;
}

export interface ArtifactPublisherOptions {
  store(file: string, report: ArtifactReport, signal: AbortSignal): Promise<void>;
  /** The bytes are safe: the report may join the stream, behind everything that was reported before the artifact. */
  onStored(report: ArtifactReport): void;
  /** The store refused for good. */
  onRefused(report: ArtifactReport, thrown: unknown): void;
  onDropped(report: ArtifactReport): void;
}

/**
 * Stores artifacts one after another in the order in which they were left, beside the other reports, which need not wait.
 * A checkpoint that still waits when the next one comes is dropped: nobody could resume from it any more.
 */
export class ArtifactPublisher {
  private readonly waiting: Waiting[] = [];
  private readonly abort = new AbortController();
  private running: Promise<void> | null = null;

  constructor(private readonly options: ArtifactPublisherOptions) {}

  publish(file: string, report: ArtifactReport): void {
    if (report.role === 'checkpoint') {
      const older = this.waiting.findIndex((entry) => entry.report.role === 'checkpoint');
      if (older >= 0) {
        for (const entry of this.waiting.splice(older, 1)) {
          void rm(entry.file, { force: true });
          this.options.onDropped(entry.report);
        }
      }
    }
    this.waiting.push({ file, report });
    this.running ??= this.run();
  }

  /** Resolves when nothing waits or is under way. */
  async idle(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  /** Gives up what waits and what is under way. */
  stop(): void {
    this.abort.abort();
    for (const { report } of this.waiting.splice(0)) this.options.onDropped(report);
  }

  private async run(): Promise<void> {
    const { store, onStored, onRefused, onDropped } = this.options;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      const { file, report } = next;
      try {
        await store(file, report, this.abort.signal);
        onStored(report);
      } catch (thrown) {
        if (this.abort.signal.aborted) onDropped(report);
        else onRefused(report, thrown);
      }
      await rm(file, { force: true }).catch(() => undefined);
    }
    this.running = null;
  }
}
