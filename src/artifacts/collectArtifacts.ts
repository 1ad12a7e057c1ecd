import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { mayRemoveArtifactFiles } from '#src/artifacts/store/artifactLock.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { enterUnsettled, listUnsettled, removeUnsettled } from '#src/artifacts/store/unsettledContent.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { storeProblem } from './storeOwnership.ts';

/** What is younger is left alone: a second safeguard beside the lock, should its connection break. */
export const COLLECT_AGE_MS = 10_000;
/** Entries looked at under one lock; uploads wait for so long. */
const BATCH = 200;

export interface Collected {
  files: number;
  bytes: number;
}

/**
 * Removes content that no artifact and no upload of a running attempt refers to any more, batch by batch. Any number of
 * processes may call it, be killed in it at any moment, and receive the same content meanwhile: an upload is entered
 * before its file is placed, and the files go under the lock that entering takes.
 */
export async function collectArtifacts(
  context: Pick<ServiceContext, 'db'>,
  store: ArtifactStore,
  minimumAgeMs = COLLECT_AGE_MS,
): Promise<Collected> {
  const collected = await store.removeAbandoned();
  const waiting = await listUnsettled(context.db, { minimumAgeMs, limit: 1 }); // asks a bucket nothing where nothing waits
  if (waiting.length === 0 || (await storeProblem(context, store)) !== null) return collected;
  for (let full = true; full; ) {
    const batch = await collectBatch(context, store, minimumAgeMs);
    collected.files += batch.files;
    collected.bytes += batch.bytes;
    full = batch.settled === BATCH;
  }
  return collected;
}

async function collectBatch(
  context: Pick<ServiceContext, 'db'>,
  store: ArtifactStore,
  minimumAgeMs: number,
): Promise<Collected & { settled: number }> {
  return await inTransaction(context.db, async (connection) => {
    const batch = { files: 0, bytes: 0, settled: 0 };
    if (!(await mayRemoveArtifactFiles(connection))) return batch;
    const settled: bigint[] = [];
    for (const { id, sha256, needed } of await listUnsettled(connection, { minimumAgeMs, limit: BATCH })) {
      const freed = needed ? 0 : await store.remove(sha256, minimumAgeMs);
      if (freed === null) continue;
      settled.push(id);
      if (freed > 0) batch.files += 1;
      batch.bytes += freed;
    }
    await removeUnsettled(connection, settled);
    batch.settled = settled.length;
    return batch;
  });
}

/**
 * Looks through the whole store for content that nothing refers to and that was never entered, and leaves it to the
 * collector. Returns how much that was.
 */
export async function sweepArtifacts(context: Pick<ServiceContext, 'db'>, store: ArtifactStore): Promise<number> {
  if ((await storeProblem(context, store)) !== null) return 0;
  let entered = 0;
  for await (const { names } of store.list()) entered += await enterUnsettled(context.db, names);
  return entered;
}
