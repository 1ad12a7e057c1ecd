import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { badInput, WarrenError } from '../contracts/errors.ts';

export interface PutOptions {
  /** More than this is refused with TOO_LARGE, and nothing is kept. */
  maximumBytes: number;
  /** Lower-case hexadecimal; other content is refused with BAD_INPUT, and nothing is kept. */
  expectedSha256?: string;
}

export interface StoredArtifact {
  sha256: string;
  sizeBytes: number;
}

/** First and last byte, both inclusive and counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Files by their sha256: the same content is kept once, and what is there is whole. */
export interface ArtifactStore {
  put(stream: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredArtifact>;
  /** @throws WarrenError NOT_FOUND. */
  read(sha256: string, range?: ByteRange): Promise<Readable>;
  /** Size in bytes, or null when it is not there. */
  size(sha256: string): Promise<number | null>;
  /** Removes the content; nothing happens when it is not there. */
  remove(sha256: string): Promise<void>;
}

const ABANDONED_MS = 24 * 60 * 60 * 1_000;

/** The store in a folder, made when it is missing. Several processes may use it at once. */
export async function openArtifactStore(folder: string): Promise<ArtifactStore> {
  const incoming = join(folder, 'incoming');
  await mkdir(incoming, { recursive: true });
  await removeAbandoned(incoming);
  return {
    put: (stream, options) => put(folder, stream, options),
    read: async (sha256, range) => {
      const path = pathOf(folder, sha256);
      if ((await sizeOf(path)) === null) throw new WarrenError('NOT_FOUND', `no artifact with sha256 ${sha256}`);
      return createReadStream(path, range);
    },
    size: async (sha256) => sizeOf(pathOf(folder, sha256)),
    remove: async (sha256) => rm(pathOf(folder, sha256), { force: true }),
  };
}

/** Two levels, so that no folder holds too many. A name that is no sha256 never becomes a path. */
function pathOf(folder: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw badInput('expected 64 lower-case hexadecimal digits', 'sha256');
  return join(folder, sha256.slice(0, 2), sha256);
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw thrown;
  }
}

async function put(folder: string, stream: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredArtifact> {
  const partial = join(folder, 'incoming', randomUUID());
  const file = await open(partial, 'wx', 0o644);
  try {
    const stored = await write(file, stream, options);
    const path = pathOf(folder, stored.sha256);
    if ((await sizeOf(path)) === null) {
      await file.sync();
      await mkdir(join(path, '..'), { recursive: true });
      await rename(partial, path);
      await syncFolder(join(path, '..'));
    }
    return stored;
  } finally {
    await file.close();
    await rm(partial, { force: true });
  }
}

async function write(
  file: FileHandle,
  stream: AsyncIterable<Uint8Array>,
  { maximumBytes, expectedSha256 }: PutOptions,
): Promise<StoredArtifact> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maximumBytes)
      throw new WarrenError('TOO_LARGE', `an artifact may have ${maximumBytes} bytes at most`);
    hash.update(chunk);
    for (let written = 0; written < chunk.byteLength; ) {
      written += (await file.write(chunk, written, chunk.byteLength - written)).bytesWritten;
    }
  }
  const sha256 = hash.digest('hex');
  if (expectedSha256 !== undefined && expectedSha256 !== sha256) {
    throw badInput(`the content's sha256 is ${sha256}, expected ${expectedSha256}: send it again`, 'sha256');
  }
  return { sha256, sizeBytes };
}

/** Makes a rename outlive a crash of the machine, where the system lets a folder be opened. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  try {
    await folder?.sync().catch(() => {});
  } finally {
    await folder?.close();
  }
}

/** What a process that was killed left half written. */
async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}
