import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * A checkpoint as bytes: magic, length of the header (uint32), header (JSON), then arrays of float32, little-endian. The header
 * holds what the trainer wants to keep beside the arrays, their lengths and the sha256 of their bytes.
 */
export interface Checkpoint {
  values: unknown;
  arrays: Float32Array[];
}

const MAGIC = new TextEncoder().encode('WARRENCP');
const PREFIX_BYTES = MAGIC.length + 4;

const headerSchema = z.object({ values: z.unknown(), lengths: z.array(z.int().min(0)), sha256: z.string() });

export function encodeCheckpoint({ values, arrays }: Checkpoint): Uint8Array {
  const bytes = arrays.map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  const hash = createHash('sha256');
  for (const part of bytes) hash.update(part);
  const header = new TextEncoder().encode(
    JSON.stringify({ values, lengths: arrays.map((array) => array.length), sha256: hash.digest('hex') }),
  );
  const start = PREFIX_BYTES + header.length;
  const file = new Uint8Array(bytes.reduce((sum, part) => sum + part.length, start));
  file.set(MAGIC);
  new DataView(file.buffer).setUint32(MAGIC.length, header.length, true);
  file.set(header, PREFIX_BYTES);
  let at = start;
  for (const part of bytes) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** The checkpoint in `file`, or null where it is no checkpoint, not whole, or changed. */
export function decodeCheckpoint(file: Uint8Array): Checkpoint | null {
  if (file.length < PREFIX_BYTES || MAGIC.some((byte, index) => file[index] !== byte)) return null;
  const headerLength = new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(MAGIC.length, true);
  const start = PREFIX_BYTES + headerLength;
  try {
    const text = new TextDecoder().decode(file.subarray(PREFIX_BYTES, start));
    const header = headerSchema.parse(JSON.parse(text));
    if (createHash('sha256').update(file.subarray(start)).digest('hex') !== header.sha256) return null;
    // a copy at offset 0; `slice` of a Node Buffer would be a view
    const body = new Uint8Array(file.subarray(start));
    if (header.lengths.reduce((sum, length) => sum + length, 0) * 4 !== body.length) return null;
    let at = 0;
    const arrays = header.lengths.map((length) => {
      const array = new Float32Array(body.buffer, at, length);
      at += 4 * length;
      return array.slice();
    });
    return { values: header.values, arrays };
  } catch {
    return null;
  }
}
