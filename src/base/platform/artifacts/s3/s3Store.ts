import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { WarrenError } from '#src/base/contracts/errors.ts';
import { abandonedAfterMs } from '../artifactFiles.ts';
import {
  type ArtifactStore,
  type ByteRange,
  damagedError,
  missingError,
  type StoreOwners,
  type StoreUsage,
} from '../artifactStore.ts';
import { isOwner, OWNER_NOTE } from '../folderOwners.ts';
import { type BucketPlace, placeText } from '../storePlace.ts';
import { readVerified } from '../verifiedContent.ts';
import { type Bucket, openBucket } from './bucket.ts';
import { contentKey, damagedKey, keyMeaning, ownerKey } from './keys.ts';
import { putObject } from './putObject.ts';

/** Between two looks for what killed processes left: each costs requests, and such remains cost little. */
const LOOK_FOR_ABANDONED_MS = 10 * 60 * 1_000;

/**
 * The store in a bucket, which must be there.
 * @throws WarrenError UNAVAILABLE that names what is wrong when the bucket cannot be read.
 */
export async function openS3Store(place: BucketPlace, onDamage: (sha256: string) => void): Promise<ArtifactStore> {
  const bucket = openBucket(place);
  for await (const _batch of bucket.list('owners/')) break; // says at the start what is wrong with the settings
  const damaged = async (sha256: string): Promise<WarrenError> => {
    if (await setAside(bucket, sha256)) onDamage(sha256);
    return damagedError(sha256);
  };
  let lookAtMs = 0;
  return {
    place: placeText(place),
    keptByOthers: true,
    owners: bucketOwners(bucket, place),
    put: (stream, options) => putObject(bucket, stream, options),
    read: (sha256, range) => read(bucket, { sha256, range, damaged }),
    size: async (sha256) => (await bucket.head(contentKey(sha256)))?.sizeBytes ?? null,
    verify: async (sha256) => {
      const digest = await digestIn(bucket, contentKey(sha256));
      if (digest !== null && digest !== sha256) await damaged(sha256);
      return digest === sha256;
    },
    absence: (sha256) => absence(bucket, sha256),
    setAside: damaged,
    remove: (sha256, minimumAgeMs = 0) => remove(bucket, sha256, minimumAgeMs),
    list: () => listContent(bucket),
    removeAbandoned: async ({ evenYoung } = { evenYoung: false }) => {
      if (!evenYoung && performance.now() < lookAtMs) return { files: 0, bytes: 0 };
      lookAtMs = performance.now() + LOOK_FOR_ABANDONED_MS;
      return await removeAbandoned(bucket, evenYoung);
    },
    usage: () => usageOf(bucket),
    link: (sha256, options) => bucket.link(contentKey(sha256), options),
  };
}

async function absence(bucket: Bucket, sha256: string): Promise<WarrenError> {
  return (await bucket.head(damagedKey(sha256))) === null ? missingError(sha256) : damagedError(sha256);
}

interface Reading {
  sha256: string;
  range: ByteRange | undefined;
  damaged(sha256: string): Promise<WarrenError>;
}

async function read(bucket: Bucket, { sha256, range, damaged }: Reading): Promise<Readable> {
  const found = await bucket.read(contentKey(sha256), range);
  if (found === null) throw await absence(bucket, sha256);
  const { body, sizeBytes } = found;
  if (range !== undefined) return body;
  return await readVerified({ open: () => body, sha256, sizeBytes, damaged: () => damaged(sha256) });
}

async function digestIn(bucket: Bucket, key: string): Promise<string | null> {
  const found = await bucket.read(key);
  if (found === null) return null;
  const hash = createHash('sha256');
  for await (const chunk of found.body) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** Whether content was damaged, and is kept aside now. */
async function setAside(bucket: Bucket, sha256: string): Promise<boolean> {
  const digest = await digestIn(bucket, contentKey(sha256)); // what was stored again meanwhile is right
  if (digest === null || digest === sha256) return false;
  const facts = await bucket.head(contentKey(sha256));
  if (facts === null) return false;
  await bucket.copy(contentKey(sha256), damagedKey(sha256), facts.sizeBytes);
  await bucket.remove(contentKey(sha256));
  return true;
}

async function remove(bucket: Bucket, sha256: string, minimumAgeMs: number): Promise<number | null> {
  const found = [];
  for (const key of [contentKey(sha256), damagedKey(sha256)]) {
    const facts = await bucket.head(key);
    if (facts === null) continue;
    if (facts.ageMs < minimumAgeMs) return null;
    found.push(facts);
  }
  for (const { key } of found) await bucket.remove(key);
  return found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

async function* listContent(bucket: Bucket): AsyncGenerator<{ names: string[]; damaged: boolean }> {
  for await (const objects of bucket.list('')) {
    for (const is of ['content', 'damaged'] as const) {
      const names = objects.flatMap(({ key }) => {
        const meaning = keyMeaning(key);
        return meaning.is === is ? [meaning.sha256] : [];
      });
      if (names.length > 0) yield { names, damaged: is === 'damaged' };
    }
  }
}

async function removeAbandoned(bucket: Bucket, evenYoung: boolean): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 };
  const isLeft = (name: string, ageMs: number): boolean => evenYoung || ageMs >= abandonedAfterMs(name);
  for await (const objects of bucket.list('incoming/')) {
    for (const { key, sizeBytes, ageMs } of objects) {
      const meaning = keyMeaning(key);
      if (meaning.is !== 'incoming' || !isLeft(meaning.name, ageMs)) continue;
      await bucket.remove(key);
      removed.files += 1;
      removed.bytes += sizeBytes;
    }
  }
  for (const { key, id, ageMs } of await bucket.unfinished()) {
    const meaning = keyMeaning(key);
    if (meaning.is === 'foreign' || !isLeft(meaning.is === 'incoming' ? meaning.name : '', ageMs)) continue;
    await bucket.abort(key, id);
    removed.files += 1;
  }
  return removed;
}

async function usageOf(bucket: Bucket): Promise<StoreUsage> {
  const usage = { files: 0, bytes: 0, damagedFiles: 0, freeBytes: null, volumeBytes: null };
  for await (const objects of bucket.list('')) {
    for (const { key, sizeBytes } of objects) {
      const { is } = keyMeaning(key);
      if (is === 'foreign' || is === 'owner') continue;
      usage.files += 1;
      usage.bytes += sizeBytes;
      if (is === 'damaged') usage.damagedFiles += 1;
    }
  }
  return usage;
}

function bucketOwners(bucket: Bucket, place: BucketPlace): StoreOwners {
  return {
    place: `${placeText(place)}/owners`,
    async list() {
      const found: string[] = [];
      for await (const objects of bucket.list('owners/')) {
        for (const { key } of objects) {
          const meaning = keyMeaning(key);
          if (meaning.is === 'owner' && isOwner(meaning.name)) found.push(meaning.name);
        }
      }
      return found;
    },
    add: (identity) => bucket.put(ownerKey(identity), Buffer.from(OWNER_NOTE)),
    remove: (identity) => bucket.remove(ownerKey(identity)),
  };
}
