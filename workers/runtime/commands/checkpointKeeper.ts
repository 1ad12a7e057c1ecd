import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArtifactReport } from '../../../src/contracts/reports.ts';
import { coerceError } from '../../../src/lib/coerceError.ts';
import { isFullDisk } from '../../../src/lib/fullDisk.ts';
import { CHECKPOINT_NAME } from '../threadReporter.ts';
import { type FolderEntry, folderEntries, packEntries } from './folderArchive.ts';

const LOOK_MS = 1_000;
/** A folder that never comes to rest is kept all the same, once in this time. */
const RESTLESS_MS = 30_000;
/** Keeping it takes at most this share of the time. */
const SHARE = 0.2;

export interface CheckpointKeeperOptions {
  folder: string;
  /** Where the archive is made. */
  scratchFile: string;
  /** Brings the archive where it is kept. */
  store(file: string, report: ArtifactReport): Promise<void>;
  warn(message: string): void;
}

/** Keeps what a program leaves in its checkpoint folder: whenever it has changed and is at rest, and at the end. */
export class CheckpointKeeper {
  private readonly stopping = new AbortController();
  private running: Promise<void>;
  private kept = '';
  private restlessSinceMs = performance.now();

  constructor(private readonly options: CheckpointKeeperOptions) {
    this.running = this.watch();
  }

  /** Looks no more; with `keep` what stands there now is kept. */
  async stop({ keep }: { keep: boolean }): Promise<void> {
    this.stopping.abort();
    await this.running;
    if (keep) await this.keepIfChanged();
  }

  private async watch(): Promise<void> {
    this.kept = stateOf(await this.look());
    let before = this.kept;
    let waitMs = LOOK_MS;
    const { signal } = this.stopping;
    for (;;) {
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const state = stateOf(await this.look());
      waitMs = LOOK_MS;
      if (state === this.kept) this.restlessSinceMs = performance.now();
      else if (state === before || performance.now() - this.restlessSinceMs > RESTLESS_MS) {
        const startedMs = performance.now();
        await this.keepIfChanged();
        waitMs = Math.max(LOOK_MS, (performance.now() - startedMs) / SHARE);
      }
      before = state;
    }
  }

  private async look(): Promise<FolderEntry[]> {
    return await folderEntries(this.options.folder).catch(() => []);
  }

  /** One that changes while it is packed is left to the next look, unless there have been many. */
  private async keepIfChanged(): Promise<void> {
    const { folder, scratchFile, store, warn } = this.options;
    const entries = await this.look();
    const state = stateOf(entries);
    if (state === this.kept || entries.length === 0) return;
    try {
      const packed = await packEntries(folder, entries, scratchFile);
      const isRestless = performance.now() - this.restlessSinceMs > RESTLESS_MS;
      if (!isRestless && stateOf(await this.look()) !== state) return;
      const common = { type: 'artifact', name: CHECKPOINT_NAME, role: 'checkpoint' } as const;
      await store(scratchFile, { ...common, mediaType: 'application/x-tar', ...packed });
      this.kept = state;
      this.restlessSinceMs = performance.now();
    } catch (thrown) {
      if (isFullDisk(thrown)) warn('the checkpoint cannot be kept: the disk of the scratch folder is full');
      else warn(`the checkpoint folder is not kept yet: ${coerceError(thrown).message}`);
    } finally {
      await rm(scratchFile, { force: true });
    }
  }
}

function stateOf(entries: readonly FolderEntry[]): string {
  return JSON.stringify(entries);
}
