import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { isFullDisk } from '#src/lib/fullDisk.ts';
import { badInput, WarrenError } from '#src/contracts/errors.ts';
import { closeToOthers } from '../files/privateFile.ts';
import {
  contentPath,
  damagedPath,
  fileFacts,
  incomingFile,
  incomingFolder,
  isMissing,
  listContent,
  removeAbandoned,
  setAside,
} from './artifactFiles.ts';
import { digestOf, readVerified } from './verifiedContent.ts';

export interface PutOptions {
  /** More than this is refused with TOO_LARGE, and nothing is kept. */
  maximumBytes: number;
  /** Lower-case hexadecimal; other content is refused with BAD_INPUT, and nothing is kept. */
  expectedSha256?: string;
  /** Told when all bytes are there, before they can be read under their sha256. When it throws, nothing is kept. */
  beforePlacing?(stored: StoredArtifact): Promise<void>;
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
  /** Where it is. */
  readonly folder: string;
  /**
   * Stores content; what was there under its sha256 is replaced, so that sending a file again mends a damaged one.
   * @throws WarrenError UNAVAILABLE when the disk is full; then, as after every error, nothing is kept.
   */
  put(stream: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredArtifact>;
  /**
   * All bytes, checked against the sha256 (a stream of wrong bytes never ends well), or some of them, unchecked.
   * @throws WarrenError NOT_FOUND, or DATA_ERROR when the content is damaged: it is set aside then.
   */
  read(sha256: string, range?: ByteRange): Promise<Readable>;
  /** Size in bytes, or null when it is not there. */
  size(sha256: string): Promise<number | null>;
  /** Reads the content and sets it aside when it is damaged. Whether it is there and right. */
  verify(sha256: string): Promise<boolean>;
  /** Why content is not there: DATA_ERROR where it was found damaged, else NOT_FOUND. */
  absence(sha256: string): Promise<WarrenError>;
  /** Takes damaged content out of use. Returns the error for whoever wanted it. */
  setAside(sha256: string): Promise<WarrenError>;
  /**
   * Removes the content, and what was set aside of it.
   * @returns the bytes freed, 0 when nothing was there; null when it was written less than `minimumAgeMs` ago and stays.
   */
  remove(sha256: string, minimumAgeMs?: number): Promise<number | null>;
  /** The sha256 of all content, in batches; what was set aside as damaged comes in a batch of its own. */
  list(): AsyncGenerator<{ names: string[]; damaged: boolean }>;
  /** Removes what processes that were killed have left half received. */
  removeAbandoned(): Promise<{ files: number; bytes: number }>;
}

/**
 * The store in a folder, made when it is missing. Several processes may use it at once.
 * @param onDamage Told the sha256 of content that was found damaged and set aside.
 */
export async function openArtifactStore(
  folder: string,
  onDamage: (sha256: string) => void = () => {},
): Promise<ArtifactStore> {
  await mkdir(incomingFolder(folder), { recursive: true, mode: 0o700 });
  closeToOthers(folder);
  await removeAbandoned(folder);
  const damaged = async (sha256: string): Promise<WarrenError> => {
    await setAside(folder, sha256);
    onDamage(sha256);
    return damagedError(sha256);
  };
  return {
    folder,
    put: (stream, options) => put(folder, stream, options),
    read: (sha256, range) => read(folder, { sha256, range, damaged }),
    size: async (sha256) => (await fileFacts(contentPath(folder, sha256)))?.sizeBytes ?? null,
    verify: async (sha256) => {
      const digest = await digestOf(contentPath(folder, sha256)).catch((thrown: unknown) => {
        if (isMissing(thrown)) return null;
        throw thrown;
      });
      if (digest !== null && digest !== sha256) await damaged(sha256);
      return digest === sha256;
    },
    absence: (sha256) => absence(folder, sha256),
    setAside: damaged,
    remove: (sha256, minimumAgeMs = 0) => remove(folder, sha256, minimumAgeMs),
    list: () => listContent(folder),
    removeAbandoned: () => removeAbandoned(folder),
  };
}

function damagedError(sha256: string): WarrenError {
  return new WarrenError('DATA_ERROR', `the stored content ${sha256} is damaged; storing the file again mends that`);
}

async function absence(folder: string, sha256: string): Promise<WarrenError> {
  if ((await fileFacts(damagedPath(folder, sha256))) !== null) return damagedError(sha256);
  return new WarrenError('NOT_FOUND', `the artifact store has no content ${sha256} any more`);
}

interface Reading {
  sha256: string;
  range: ByteRange | undefined;
  damaged(sha256: string): Promise<WarrenError>;
}

async function read(folder: string, { sha256, range, damaged }: Reading): Promise<Readable> {
  const path = contentPath(folder, sha256);
  const facts = await fileFacts(path);
  if (facts === null) throw await absence(folder, sha256);
  if (range !== undefined) return createReadStream(path, range);
  return await readVerified({ path, sha256, sizeBytes: facts.sizeBytes, damaged: () => damaged(sha256) });
}

async function remove(folder: string, sha256: string, minimumAgeMs: number): Promise<number | null> {
  const found: { path: string; sizeBytes: number }[] = [];
  for (const path of [contentPath(folder, sha256), damagedPath(folder, sha256)]) {
    const facts = await fileFacts(path);
    if (facts === null) continue;
    if (facts.ageMs < minimumAgeMs) return null;
    found.push({ path, sizeBytes: facts.sizeBytes });
  }
  for (const { path } of found) await rm(path, { force: true });
  return found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

async function put(folder: string, stream: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredArtifact> {
  const partial = incomingFile(folder);
  try {
    const stored = await receive(partial.path, stream, options);
    await options.beforePlacing?.(stored);
    const path = contentPath(folder, stored.sha256);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(partial.path, path);
    await syncFolder(dirname(path));
    await rm(damagedPath(folder, stored.sha256), { force: true });
    return stored;
  } catch (thrown) {
    if (!isFullDisk(thrown)) throw thrown;
    const advice = 'free some, for instance with `warren clean`, and send it again';
    throw new WarrenError('UNAVAILABLE', `the disk of the artifact store has no room left: ${advice}`, {
      cause: thrown,
    });
  } finally {
    await rm(partial.path, { force: true });
    partial.done();
  }
}

/** Writes what comes to a new file and onto the disk. */
async function receive(path: string, stream: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredArtifact> {
  const file = await open(path, 'wx', 0o600);
  try {
    const stored = await write(file, stream, options);
    await file.sync();
    return stored;
  } finally {
    await file.close();
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
