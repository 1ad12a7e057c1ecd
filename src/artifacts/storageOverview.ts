import type { ArtifactStore, StoreUsage } from '#src/base/platform/artifacts/artifactStore.ts';
import { referencedContent } from '#src/artifacts/store/contentTotals.ts';
import { emptyTrash } from '#src/runs/emptyTrash.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { storeProblem } from './storeOwnership.ts';

/** Disk use of the artifact store. */
export interface StorageOverview extends StoreUsage {
  /** `folder`, or the address of a bucket: callers need not know the paths of the server. */
  place: string;
  /** What artifacts refer to, the same content once. */
  referencedFiles: number;
  referencedBytes: number;
  /** Runs in the trash, and the bytes that deleting them for good would free. */
  trashRuns: number;
  trashBytes: number;
  /** Why nothing is removed from the store; null when the collector works. */
  problem: string | null;
  measuredAt: Date;
}

/** A look through the store serves those who ask within this time. */
const KEPT_MS = 5_000;
/** A large store is looked through for at most this share of the time, but once in a while all the same. */
const SHARE = 0.05;
const LONGEST_KEPT_MS = 60_000;

/** Tells disk use; however many ask at once, the store is looked through once. */
export function storageReader(
  context: Pick<ServiceContext, 'db'>,
  store: ArtifactStore,
): () => Promise<StorageOverview> {
  let current: Promise<StorageOverview> | null = null;
  let validUntilMs = 0;

  async function measure(): Promise<StorageOverview> {
    const startedMs = performance.now();
    const [usage, referenced, trash, problem] = await Promise.all([
      store.usage(),
      referencedContent(context.db),
      emptyTrash(context, { olderThanDays: 0, dryRun: true }),
      storeProblem(context, store),
    ]);
    const endedMs = performance.now();
    const keptMs = store.keptByOthers ? LONGEST_KEPT_MS : KEPT_MS; // each look at a bucket costs requests
    validUntilMs = endedMs + Math.min(LONGEST_KEPT_MS, Math.max(keptMs, (endedMs - startedMs) / SHARE));
    return {
      ...usage,
      place: store.place.startsWith('s3://') ? store.place : 'folder',
      referencedFiles: referenced.files,
      referencedBytes: referenced.bytes,
      trashRuns: trash.runs + trash.kept.length,
      trashBytes: trash.bytes,
      problem,
      measuredAt: new Date(),
    };
  }

  return () => {
    if (current === null || performance.now() >= validUntilMs) {
      validUntilMs = Number.POSITIVE_INFINITY;
      current = measure();
      current.catch(() => {
        current = null;
      });
    }
    return current;
  };
}
