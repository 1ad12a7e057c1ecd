import {
  type ArtifactStore,
  type ByteRange,
  damagedError,
  missingError,
  type PutOptions,
  type StoredArtifact,
  type StoreUsage,
} from './artifactStore.ts';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, readdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { isFullDisk } from '#src/base/lib/fullDisk.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
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
import { contentDigest } from './contentDigest.ts';
import { folderOwners } from './folderOwners.ts';
import { digestOf, readVerified } from './verifiedContent.ts';
import type { StorePlace } from './storePlace.ts';

/** Looks at every file of the store in a folder. */
async function folderUsage(folder: string): Promise<StoreUsage> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const usage = { files: 0, bytes: 0, damagedFiles: 0, freeBytes: bavail * bsize, volumeBytes: blocks * bsize };
  const count = async (paths: readonly string[]): Promise<number> => {
    const facts = await Promise.all(paths.map(fileFacts));
    const found = facts.filter((one) => one !== null);
    usage.files += found.length;
    usage.bytes += found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return found.length;
  };
  for await (const { names, damaged } of listContent(folder)) {
    const found = await count(names.map((name) => (damaged ? damagedPath : contentPath)(folder, name)));
    if (damaged) usage.damagedFiles += found;
  }
  await count((await readdir(incomingFolder(folder))).map((name) => join(incomingFolder(folder), name)));
  return usage;
}

/** The store in a folder, made when it is missing. */
async function openFolderStore(folder: string, onDamage: (sha256: string) => void): Promise<ArtifactStore> {
  await mkdir(incomingFolder(folder), { recursive: true, mode: 0o700 });
  closeToOthers(folder);
  await removeAbandoned(folder);
  const damaged = async (sha256: string): Promise<WarrenError> => {
    await setAside(folder, sha256);
    onDamage(sha256);
    return damagedError(sha256);
  };
  return {
    place: folder,
    keptByOthers: false,
    owners: folderOwners(folder),
    put: (stream, options) => put(folder, stream, options),
    read: (sha256, range) => read(folder, { sha256, range, damaged }),
    size: (sha256) => size(folder, sha256),
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
    removeAbandoned: (options) => removeAbandoned(folder, options?.evenYoung),
    usage: () => folderUsage(folder),
    link: () => Promise.resolve(null),
  };
}

/** @throws WarrenError UNAVAILABLE where the whole folder is away, as that of a disk that is not mounted: then nobody knows. */
async function size(folder: string, sha256: string): Promise<number | null> {
  const facts = await fileFacts(contentPath(folder, sha256));
  if (facts !== null) return facts.sizeBytes;
  if ((await fileFacts(incomingFolder(folder))) !== null) return null;
  throw new WarrenError('UNAVAILABLE', 'the folder of the artifact store is away; is its disk mounted?');
}

async function absence(folder: string, sha256: string): Promise<WarrenError> {
  if ((await fileFacts(damagedPath(folder, sha256))) !== null) return damagedError(sha256);
  return missingError(sha256);
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
  return await readVerified({
    open: () => createReadStream(path),
    ...{ sha256, sizeBytes: facts.sizeBytes, damaged: () => damaged(sha256) },
  });
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
    throw new WarrenError('NO_ROOM', `the disk of the artifact store has no room left: ${advice}`, { cause: thrown });
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
  options: PutOptions,
): Promise<StoredArtifact> {
  const digest = contentDigest(options);
  for await (const chunk of stream) {
    digest.add(chunk);
    for (let written = 0; written < chunk.byteLength; ) {
      written += (await file.write(chunk, written, chunk.byteLength - written)).bytesWritten;
    }
  }
  return digest.end();
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

/**
 * Opens the store at a place. A folder is made when it is missing; a bucket must be there. Several processes may use it at once.
 * @param onDamage Told the sha256 of content that was found damaged and set aside.
 * @throws WarrenError BAD_INPUT where the bucket is not there or refuses the keys, UNAVAILABLE where it does not answer.
 */
export async function openArtifactStore(
  place: StorePlace,
  onDamage: (sha256: string) => void = () => {},
): Promise<ArtifactStore> {
  if (typeof place === 'string') return await openFolderStore(place, onDamage);
  // its library is large: only those who use it load it
  return await (await import('./s3/s3Store.ts')).openS3Store(place, onDamage);
}
