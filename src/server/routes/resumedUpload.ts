import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { isFullDisk } from '#src/base/lib/fullDisk.ts';
import type { ArtifactStore, PutOptions, StoredArtifact } from '#src/base/platform/artifacts/artifactStore.ts';
import type { PartialUploads } from '#src/base/platform/artifacts/partialUploads.ts';

/** What a `Content-Range` of a request says: so many bytes from `start` on, of `total`; with null it asks how many are there. */
export interface SentRange {
  start: number | null;
  bytes: number;
  total: number;
}

/** The `Content-Range` of an upload in parts; null for an upload as a whole. @throws WarrenError BAD_INPUT. */
export function sentRange(request: Request): SentRange | null {
  const header = request.get('content-range');
  if (header === undefined) return null;
  const [, first, last, totalText] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/([1-9]\d{0,14})$/.exec(header) ?? [];
  const total = Number(totalText);
  const isWrong =
    totalText === undefined || (last !== undefined && (Number(last) >= total || Number(first) > Number(last)));
  if (isWrong) {
    throw badInput(
      `content-range: expected "bytes FIRST-LAST/TOTAL", or "bytes */TOTAL" to ask what is there, got ${JSON.stringify(header.slice(0, 100))}`,
      'content-range',
    );
  }
  return {
    start: first === undefined ? null : Number(first),
    bytes: Number(last ?? 0) - Number(first ?? 0) + 1,
    total,
  };
}

export interface ResumedUpload {
  range: SentRange;
  /** Of the whole content. */
  sha256: string;
  /** Whose it is: uploads with another are others. */
  owner: { runId: string; attempt: number; name: string };
}

/**
 * Takes a part of an upload, or tells how much is there. Resolves to the stored content when all of it has come; else to the
 * number of bytes that have.
 */
export async function takePart(
  request: Request,
  { store, uploads }: { store: ArtifactStore; uploads: PartialUploads },
  { range, sha256, owner, ...options }: ResumedUpload & PutOptions,
): Promise<StoredArtifact | number> {
  const { start, bytes, total } = range;
  if (total > options.maximumBytes) {
    throw new WarrenError('TOO_LARGE', `an artifact may have ${options.maximumBytes} bytes at most`);
  }
  const key = createHash('sha256')
    .update(JSON.stringify([owner, sha256, total]))
    .digest('hex');
  /** What was stored before, when its answer was lost. */
  const before = async (): Promise<StoredArtifact | null> => {
    if (!(await uploads.isFinished(key)) || (await store.size(sha256)) !== total) return null;
    const stored = { sha256, sizeBytes: total };
    await options.beforePlacing?.(stored); // from now on nobody removes it
    return (await store.size(sha256)) === total ? stored : null;
  };
  if (start !== null && start <= (await uploads.received(key))) {
    await uploads.append(key, start, limited(request.iterator({ destroyOnReturn: false }), bytes));
  }
  const received = start === null ? await uploads.atRest(key) : await uploads.received(key);
  if (received === 0) return (await before()) ?? received;
  if (received < total) return received;
  return await uploads.complete(
    key,
    // another may have finished since the bytes were counted
    async () =>
      (await before()) ?? (await makeArtifact(key, { store, uploads }, { ...options, expectedSha256: sha256 })),
  );
}

async function makeArtifact(
  key: string,
  { store, uploads }: { store: ArtifactStore; uploads: PartialUploads },
  options: PutOptions,
): Promise<StoredArtifact> {
  try {
    const stored = await store.put(uploads.read(key), options);
    await uploads.finish(key);
    return stored;
  } catch (thrown) {
    // what is not what was promised is of no use, and a full disk needs the room
    const isUseless = thrown instanceof WarrenError && (thrown.code === 'BAD_INPUT' || isFullDisk(thrown.cause));
    if (isUseless) await uploads.discard(key);
    throw thrown;
  }
}

async function* limited(stream: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of stream) {
    if (chunk.byteLength > left) throw badInput('more bytes came than the content-range says', 'content-range');
    left -= chunk.byteLength;
    yield chunk;
  }
}
