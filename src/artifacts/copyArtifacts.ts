import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { databaseIdentity } from '#src/base/database/databaseIdentity.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { inTurn } from './inTurn.ts';

/** Files under way at once. */
const AT_ONCE = 4;

export interface CopiedArtifacts {
  files: number;
  bytes: number;
  /** What the target had already. */
  present: number;
  /** What could not be read: damaged, or removed meanwhile. Why, by sha256. */
  left: { sha256: string; reason: string }[];
}

/**
 * Copies all content of a store into another, each file checked against its sha256. What is there already is not sent again, so
 * that it may be broken off and called again, also while Warren runs. The source stays as it is.
 * @throws WarrenError CONFLICT when another database uses the target.
 */
export async function copyArtifacts(
  context: Pick<ServiceContext, 'db'>,
  stores: { from: ArtifactStore; to: ArtifactStore },
  { onProgress, signal }: { onProgress?(message: string): void; signal?: AbortSignal } = {},
): Promise<CopiedArtifacts> {
  const { from, to } = stores;
  if (from.place === to.place) throw new WarrenError('BAD_INPUT', `${to.place} is where the artifacts are already`);
  await claimTarget(context, to);
  const copied: CopiedArtifacts = { files: 0, bytes: 0, present: 0, left: [] };
  for await (const { names, damaged } of from.list()) {
    if (damaged) continue;
    await inTurn(names, AT_ONCE, async (sha256) => {
      signal?.throwIfAborted();
      const sizeBytes = await from.size(sha256);
      if (sizeBytes === null) return; // removed meanwhile
      if ((await to.size(sha256)) === sizeBytes) {
        copied.present += 1;
        return;
      }
      const content = await from.read(sha256).catch((thrown: unknown) => coerceError(thrown).message);
      if (typeof content === 'string') {
        copied.left.push({ sha256, reason: content });
        return;
      }
      await to.put(content, { maximumBytes: Number.MAX_SAFE_INTEGER, expectedSha256: sha256 });
      copied.files += 1;
      copied.bytes += sizeBytes;
      if (copied.files % 100 === 0) onProgress?.(`${copied.files} files copied`);
    });
  }
  return copied;
}

/** The target becomes this database's before anything is in it: a collector of another must leave it alone. */
async function claimTarget({ db }: Pick<ServiceContext, 'db'>, to: ArtifactStore): Promise<void> {
  const own = await databaseIdentity(db);
  const others = (await to.owners.list()).filter((owner) => owner !== own);
  if (others.length > 0) {
    const message = `another database uses ${to.place}: take another folder or prefix, or remove ${others.join(', ')} in ${to.owners.place}`;
    throw new WarrenError('CONFLICT', `${message} when that database is gone for good`);
  }
  await to.owners.add(own);
}
