import type { Readable } from 'node:stream';
import { WarrenError } from '#src/base/contracts/errors.ts';

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

/** What the store holds. */
export interface StoreUsage {
  files: number;
  /** Of all files: content, uploads under way, and what was set aside. */
  bytes: number;
  /** Files that were found damaged and set aside. */
  damagedFiles: number;
  /** What the volume still takes, and its size; null where there is no such limit, as in a bucket. */
  freeBytes: number | null;
  volumeBytes: number | null;
}

/** The identities of the databases that use a store: a name each below `owners`. */
export interface StoreOwners {
  /** Where they stand, for people. */
  readonly place: string;
  list(): Promise<string[]>;
  /** Writes down that a database uses the store. */
  add(identity: string): Promise<void>;
  /** Writes down that a database uses the store no more; nothing happens where it was not known. */
  remove(identity: string): Promise<void>;
}

/** How a browser or program that follows a link gets the content. */
export interface LinkOptions {
  fileName: string;
  /** Until it works no more. */
  seconds: number;
}

/** Files by their sha256: the same content is kept once, and what is there is whole. */
export interface ArtifactStore {
  /** Where it is: the path of a folder, or `s3://bucket/prefix`. */
  readonly place: string;
  /** Whether somebody else looks after what lies there, so that nothing need be read just to find damage. */
  readonly keptByOthers: boolean;
  readonly owners: StoreOwners;
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
  /** Removes what processes that were killed have left half received; all of it with `evenYoung`, when none receives. */
  removeAbandoned(options?: { evenYoung: boolean }): Promise<{ files: number; bytes: number }>;
  /** Looks at every file. */
  usage(): Promise<StoreUsage>;
  /** An address from which anybody can read the content for a while, always to be saved and never shown; null where there is none. */
  link(sha256: string, options: LinkOptions): Promise<string | null>;
}

/** The error for whoever wants content that was set aside. */
export function damagedError(sha256: string): WarrenError {
  return new WarrenError('DATA_ERROR', `the stored content ${sha256} is damaged; storing the file again mends that`);
}

/** The error for whoever wants content that is not there. */
export function missingError(sha256: string): WarrenError {
  return new WarrenError('NOT_FOUND', `the artifact store has no content ${sha256} any more`);
}
