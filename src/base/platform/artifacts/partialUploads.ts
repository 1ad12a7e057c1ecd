import { constants, createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { isFullDisk } from '#src/base/lib/fullDisk.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { StoredArtifact } from './artifactStore.ts';
import { fileFacts, incomingFolder, isMissing } from './artifactFiles.ts';

/** The first part of content whose rest has not come yet; kept for a day after its last byte came. */
export interface PartialUploads {
  /** Bytes that are there. */
  received(key: string): Promise<number>;
  /**
   * Bytes that are there once no more come over other connections: what a line has delivered before it broke may still be on
   * its way into the file when its sender asks over the next one.
   */
  atRest(key: string): Promise<number>;
  /**
   * Writes what comes from byte `start` on, which is among what is there or just behind it. What has come stays when the
   * stream breaks off. Two that write the same content at once do no harm: once
   * the other has finished, nothing is written.
   * @throws WarrenError NO_ROOM when the disk is full; what had come is removed then.
   */
  append(key: string, start: number, stream: AsyncIterable<Uint8Array>): Promise<void>;
  /** All that is there. */
  read(key: string): Readable;
  /** Makes the artifact of what is there; who asks while that is under way gets the answer of the first. */
  complete(key: string, store: () => Promise<StoredArtifact>): Promise<StoredArtifact>;
  /** Forgets the bytes and remembers for a day that the content is where it belongs. */
  finish(key: string): Promise<void>;
  /** Forgets the bytes: nothing can be made of them. */
  discard(key: string): Promise<void>;
  /** Whether `finish` was called within the last day. */
  isFinished(key: string): Promise<boolean>;
}

/** A connection that brings nothing for so long is taken for dead; one that goes on bringing is waited for so long at most. */
const QUIET_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** Uploads that may be broken off and gone on with, in a folder of this machine. */
export function partialUploads(folder: string): PartialUploads {
  const place = incomingFolder(folder);
  const path = (key: string): string => join(place, `partial-${key}`);
  const marker = (key: string): string => join(place, `finished-${key}`);
  const completing = new Map<string, Promise<StoredArtifact>>();
  /** What is being written now. */
  const writing = new Map<string, Promise<void>>();
  const discard = (key: string): Promise<void> => rm(path(key), { force: true });
  const received = async (key: string): Promise<number> => (await fileFacts(path(key)))?.sizeBytes ?? 0;
  return {
    received,
    async atRest(key) {
      const began = performance.now();
      for (let before = -1; ; ) {
        const written = writing.get(key);
        const bytes = await received(key);
        const isLate = performance.now() - began > LONGEST_WAIT_MS;
        if (written === undefined || bytes === before || isLate) return bytes;
        before = bytes;
        await Promise.race([written.catch(() => {}), delay(QUIET_MS)]);
      }
    },
    async append(key, start, stream) {
      const write = mkdir(place, { recursive: true, mode: 0o700 }).then(() => writeFrom(path(key), start, stream));
      writing.set(key, write);
      try {
        await write;
      } catch (thrown) {
        if (!isFullDisk(thrown)) throw thrown;
        await discard(key);
        const advice = 'free some, for instance with `warren clean`, and send it again';
        throw new WarrenError('NO_ROOM', `the disk that takes uploads has no room left: ${advice}`, { cause: thrown });
      } finally {
        if (writing.get(key) === write) writing.delete(key);
      }
    },
    read: (key) => createReadStream(path(key)),
    complete(key, store) {
      const first = completing.get(key);
      if (first !== undefined) return first;
      const making = store().finally(() => completing.delete(key));
      completing.set(key, making);
      return making;
    },
    async finish(key) {
      await writeFile(marker(key), '');
      await discard(key);
    },
    discard,
    isFinished: async (key) => (await fileFacts(marker(key))) !== null,
  };
}

/**
 * Writes into a file, which is never cut: another may be writing into it. It is made for what begins at byte 0 alone: where the
 * beginning has gone since it was looked for, zeros would stand for it.
 */
async function writeFrom(path: string, start: number, stream: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await openedFor(path, start);
  if (file === null) return;
  try {
    let position = start;
    for await (const chunk of stream) {
      for (let written = 0; written < chunk.byteLength; ) {
        const { bytesWritten } = await file.write(chunk, written, chunk.byteLength - written, position);
        written += bytesWritten;
        position += bytesWritten;
      }
    }
  } finally {
    await file.close();
  }
}

async function openedFor(path: string, start: number): Promise<FileHandle | null> {
  if (start === 0) return await open(path, constants.O_CREAT | constants.O_WRONLY, 0o600);
  try {
    return await open(path, constants.O_WRONLY);
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
}
