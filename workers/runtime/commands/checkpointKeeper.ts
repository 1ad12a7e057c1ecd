import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArtifactReport } from '#src/base/contracts/reports.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { isFullDisk } from '#src/base/lib/fullDisk.ts';
import { CHECKPOINT_NAME } from '../compute/threadReporter.ts';
import { type FolderEntry, folderEntries, packEntries } from './folderArchive.ts';

const LOOK_MS = 500;
/** A folder is at rest when nothing in it was written for so long: files that belong together are written together. */
const REST_MS = 300;
/** One that never comes to rest is kept all the same, once in this time. */
const RESTLESS_MS = 5_000;
/** Keeping it takes at most this share of the time. */
const SHARE = 0.2;

export interface CheckpointKeeperOptions {
  folder: string;
  /** The user whose files it keeps; null for anybody's. */
  owner: number | null;
  /** Where the archive is made. */
  scratchFile: string;
  /** Brings the archive where it is kept. */
  store(file: string, report: ArtifactReport): Promise<void>;
  warn(message: string): void;
}

/** Keeps what a program leaves in its checkpoint folder: whenever it has changed and is at rest, and at the end. */
export class CheckpointKeeper {
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private restlessSinceMs = performance.now();

  private constructor(
    private readonly options: CheckpointKeeperOptions,
    private kept: string,
  ) {
    this.running = this.watch();
  }

  /** Begins with what stands in the folder, before the program does. */
  static async start(options: CheckpointKeeperOptions): Promise<CheckpointKeeper> {
    return new CheckpointKeeper(options, stateOf(await folderEntries(options.folder, options.owner)));
  }

  /** Looks no more; with `keep` what stands there now is kept. */
  async stop({ keep }: { keep: boolean }): Promise<void> {
    this.stopping.abort();
    await this.running;
    if (keep) await this.keepIfChanged();
  }

  private async watch(): Promise<void> {
    let waitMs = LOOK_MS;
    const { signal } = this.stopping;
    for (;;) {
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const entries = await this.look();
      waitMs = LOOK_MS;
      if (stateOf(entries) === this.kept) this.restlessSinceMs = performance.now();
      else if (isAtRest(entries) || this.isRestless) {
        const startedMs = performance.now();
        await this.keepIfChanged();
        waitMs = Math.max(LOOK_MS, (performance.now() - startedMs) / SHARE);
      }
    }
  }

  private get isRestless(): boolean {
    return performance.now() - this.restlessSinceMs > RESTLESS_MS;
  }

  private async look(): Promise<FolderEntry[]> {
    return await folderEntries(this.options.folder, this.options.owner).catch(() => []);
  }

  /** One that changes while it is packed is left to the next look, unless there have been many. */
  private async keepIfChanged(): Promise<void> {
    const { folder, owner, scratchFile, store, warn } = this.options;
    const entries = await this.look();
    const state = stateOf(entries);
    if (state === this.kept || entries.length === 0) return;
    try {
      const packed = await packEntries(folder, entries, { target: scratchFile, owner });
      if (!this.isRestless && stateOf(await this.look()) !== state) return;
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

function isAtRest(entries: readonly FolderEntry[]): boolean {
  return entries.every(({ modifiedMs }) => Date.now() - modifiedMs > REST_MS);
}

function stateOf(entries: readonly FolderEntry[]): string {
  return JSON.stringify(entries);
}
