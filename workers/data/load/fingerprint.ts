import { createHash } from 'node:crypto';
import type { SequenceRows } from '../prepare/groupByUser.ts';

/**
 * sha256 of the canonical content of a dataset as it was read: users in order, items by first appearance along the rows,
 * so that it depends neither on the file's format and compression nor on how items are numbered. Hashed are a tag, the
 * counts and the ids as JSON, then row offsets and canonical item numbers as little-endian 32-bit words, then the parts of a given split where there is one.
 */
export function fingerprint(rows: SequenceRows): string {
  const canonical = new Int32Array(rows.itemCount).fill(-1);
  const words = new Uint32Array(rows.items.length);
  const itemIds: string[] = [];
  for (let i = 0; i < rows.items.length; i++) {
    const item = rows.items[i]!;
    let number = canonical[item]!;
    if (number === -1) {
      number = itemIds.push(rows.itemIds[item]!) - 1;
      canonical[item] = number;
    }
    words[i] = number;
  }
  const hash = createHash('sha256');
  hash.update(`warren-sequences-1\n${JSON.stringify([rows.userIds, itemIds])}\n`);
  hash.update(new Uint8Array(rows.offsets.buffer, rows.offsets.byteOffset, rows.offsets.byteLength));
  hash.update(new Uint8Array(words.buffer));
  // data with a split of its own is other data; that without one keeps the fingerprint that it had
  if (rows.parts !== undefined) hash.update('parts\n').update(rows.parts);
  return hash.digest('hex');
}
