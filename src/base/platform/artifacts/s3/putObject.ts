import { WarrenError } from '#src/base/contracts/errors.ts';
import { incomingName } from '../artifactFiles.ts';
import type { PutOptions, StoredArtifact } from '../artifactStore.ts';
import { type ContentDigest, contentDigest } from '../contentDigest.ts';
import type { Bucket } from './bucket.ts';
import { contentKey, damagedKey, incomingKey } from './keys.ts';

/** Bytes sent at once; up to so many an object is sent whole. S3 takes 10,000 parts: 80 GB. */
export const PART_BYTES = 8 * 1024 ** 2;
/** Parts under way beside the one that comes in: each takes its size in memory. */
const PARTS_AT_ONCE = 2;

/**
 * Puts content under its sha256 while it comes: what cannot be told whole and right never gets its name. Where the sha256 was
 * not promised, more than a part waits below `incoming` until it is known.
 */
export async function putObject(
  bucket: Bucket,
  stream: AsyncIterable<Uint8Array>,
  options: PutOptions,
): Promise<StoredArtifact> {
  const digest = contentDigest(options);
  const parts = inParts(stream, digest);
  const first = await parts.next();
  const second = first.done === true ? first : await parts.next();
  if (second.done === true) {
    const stored = digest.end();
    await options.beforePlacing?.(stored);
    await bucket.put(contentKey(stored.sha256), first.done === true ? new Uint8Array() : first.value);
    return await placed(bucket, stored);
  }
  const begun = (async function* () {
    yield first.value ?? new Uint8Array();
    yield second.value;
    yield* parts;
  })();
  const { expectedSha256 } = options;
  if (expectedSha256 === undefined) return await throughIncoming(bucket, begun, { digest, options });
  const key = contentKey(expectedSha256);
  const stored = await inOneUpload({ bucket, key, parts: begun }, async () => {
    const whole = digest.end();
    await options.beforePlacing?.(whole);
    return whole;
  });
  return await placed(bucket, stored);
}

async function throughIncoming(
  bucket: Bucket,
  parts: AsyncIterable<Uint8Array>,
  { digest, options }: { digest: ContentDigest; options: PutOptions },
): Promise<StoredArtifact> {
  const { name, done } = incomingName();
  const key = incomingKey(name);
  try {
    const stored = await inOneUpload({ bucket, key, parts }, () => Promise.resolve(digest.end()));
    await options.beforePlacing?.(stored);
    await bucket.copy(key, contentKey(stored.sha256), stored.sizeBytes);
    return await placed(bucket, stored);
  } finally {
    await bucket.remove(key).catch(() => {}); // what stays is removed as abandoned
    done();
  }
}

interface Upload {
  bucket: Bucket;
  key: string;
  parts: AsyncIterable<Uint8Array>;
}

/** Sends parts and, when `whole` agrees, makes the object of them. */
async function inOneUpload(
  { bucket, key, parts }: Upload,
  whole: () => Promise<StoredArtifact>,
): Promise<StoredArtifact> {
  const id = await bucket.begin(key);
  const sending = new Set<Promise<void>>();
  try {
    const etags: string[] = [];
    let failure: unknown = null;
    for await (const bytes of parts) {
      const number = etags.push('');
      const sent: Promise<void> = bucket
        .part({ key, id }, number, bytes)
        .then(
          (etag) => {
            etags[number - 1] = etag;
          },
          (thrown: unknown) => {
            failure ??= thrown;
          },
        )
        .finally(() => sending.delete(sent));
      sending.add(sent);
      if (sending.size >= PARTS_AT_ONCE) await Promise.race(sending);
      if (failure !== null) throw failure;
    }
    await Promise.all(sending);
    if (failure !== null) throw failure;
    const stored = await whole();
    await bucket.complete(key, id, etags);
    return stored;
  } catch (thrown) {
    await Promise.all(sending); // a part that arrives later would stay
    await bucket.abort(key, id).catch(() => {}); // what stays is removed as abandoned
    throw thrown;
  }
}

/** A request of a collector that was killed may arrive late: what is gone again is sent again. */
async function placed(bucket: Bucket, stored: StoredArtifact): Promise<StoredArtifact> {
  const found = await bucket.head(contentKey(stored.sha256));
  if (found?.sizeBytes !== stored.sizeBytes) {
    throw new WarrenError('UNAVAILABLE', `the content ${stored.sha256} was removed while it came: send it again`);
  }
  await bucket.remove(damagedKey(stored.sha256));
  return stored;
}

/** Content in pieces of one size, but for the last. */
async function* inParts(
  stream: AsyncIterable<Uint8Array>,
  digest: ContentDigest,
): AsyncGenerator<Uint8Array, undefined> {
  let held: Uint8Array[] = [];
  let room = PART_BYTES;
  for await (const chunk of stream) {
    digest.add(chunk);
    for (let rest = chunk; rest.byteLength > 0; ) {
      const taken = rest.subarray(0, room);
      held.push(taken);
      room -= taken.byteLength;
      rest = rest.subarray(taken.byteLength);
      if (room > 0) continue;
      yield Buffer.concat(held);
      held = [];
      room = PART_BYTES;
    }
  }
  if (held.length > 0) yield Buffer.concat(held);
  return undefined;
}
