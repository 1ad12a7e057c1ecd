import { createHash } from 'node:crypto';
import { z } from 'zod';
import { preparationSchema } from '../prepare/preparation.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';

/** Raised when reading or preprocessing would give other data from the same file. */
export const CACHE_VERSION = 3;

const MAGIC = Buffer.from('WARRENDS');
const PREFIX_BYTES = MAGIC.length + 4;

const headerSchema = z.object({
  version: z.literal(CACHE_VERSION),
  name: z.string(),
  fingerprint: z.string(),
  userCount: z.int().min(0),
  itemCount: z.int().min(0),
  interactions: z.int().min(0),
  hasTimes: z.boolean(),
  hasParts: z.boolean(),
  preparation: preparationSchema.nullable(),
  /** Of everything after the header. */
  sha256: z.string(),
});
const idsSchema = z.object({ users: z.array(z.string()), items: z.array(z.string()) });

function bytesOf(values: Uint32Array | Float64Array | Uint8Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/**
 * A dataset as parts of a file, to be written in order: magic, length of the header (uint32), header (JSON), offsets, items
 * (uint32 each, little-endian), times (float64 each) and parts (a byte each) where there are any, ids (JSON).
 */
export function encodeCache(dataset: SequenceDataset): Uint8Array[] {
  const ids = Buffer.from(JSON.stringify({ users: dataset.userIds, items: dataset.itemIds }));
  const times = dataset.times === undefined ? [] : [bytesOf(dataset.times)];
  const parts = dataset.parts === undefined ? [] : [bytesOf(dataset.parts)];
  const body = [bytesOf(dataset.offsets), bytesOf(dataset.items), ...times, ...parts, ids];
  const hash = createHash('sha256');
  for (const part of body) hash.update(part);
  const header = Buffer.from(
    JSON.stringify({
      version: CACHE_VERSION,
      name: dataset.name,
      fingerprint: dataset.fingerprint,
      userCount: dataset.userCount,
      itemCount: dataset.itemCount,
      interactions: dataset.items.length,
      hasTimes: dataset.times !== undefined,
      hasParts: dataset.parts !== undefined,
      preparation: dataset.preparation ?? null,
      sha256: hash.digest('hex'),
    } satisfies z.input<typeof headerSchema>),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return [MAGIC, length, header, ...body];
}

/** The dataset of a file, or null where the file is not whole, was changed, or is of another version. */
export function decodeCache(file: Buffer): SequenceDataset | null {
  if (file.length < PREFIX_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const bodyStart = PREFIX_BYTES + file.readUInt32LE(MAGIC.length);
  try {
    const header = headerSchema.parse(JSON.parse(file.toString('utf8', PREFIX_BYTES, bodyStart)));
    const body = file.subarray(bodyStart);
    if (createHash('sha256').update(body).digest('hex') !== header.sha256) return null;
    const offsetsEnd = bodyStart + 4 * (header.userCount + 1);
    const itemsEnd = offsetsEnd + 4 * header.interactions;
    const timesEnd = header.hasTimes ? itemsEnd + 8 * header.interactions : itemsEnd;
    // copied, since views need aligned places
    const copy = (start: number, end: number): ArrayBuffer =>
      file.buffer.slice(file.byteOffset + start, file.byteOffset + end) as ArrayBuffer;
    const partsEnd = header.hasParts ? timesEnd + header.interactions : timesEnd;
    const ids = idsSchema.parse(JSON.parse(file.toString('utf8', partsEnd)));
    return {
      name: header.name,
      fingerprint: header.fingerprint,
      offsets: new Uint32Array(copy(bodyStart, offsetsEnd)),
      items: new Uint32Array(copy(offsetsEnd, itemsEnd)),
      ...(header.hasTimes ? { times: new Float64Array(copy(itemsEnd, timesEnd)) } : {}),
      ...(header.hasParts ? { parts: new Uint8Array(copy(timesEnd, partsEnd)) } : {}),
      userCount: header.userCount,
      itemCount: header.itemCount,
      userIds: ids.users,
      itemIds: ids.items,
      ...(header.preparation === null ? {} : { preparation: header.preparation }),
    };
  } catch {
    return null;
  }
}
