import { expect, test } from 'vitest';
import { decodeCheckpoint, encodeCheckpoint } from '#workers/training/checkpointFile.ts';

const CHECKPOINT = { values: { epoch: 3 }, arrays: [Float32Array.of(1.5, Number.NaN, -0), new Float32Array(0)] };

test('is read back as it was, also from a Node buffer inside a larger one', () => {
  const bytes = encodeCheckpoint(CHECKPOINT);
  expect(decodeCheckpoint(bytes)).toEqual(CHECKPOINT);
  const larger = Buffer.alloc(bytes.length + 7, 1);
  larger.set(bytes, 7);
  expect(decodeCheckpoint(larger.subarray(7))).toEqual(CHECKPOINT);
});

test('bytes that were changed or cut are no checkpoint', () => {
  const bytes = encodeCheckpoint(CHECKPOINT);
  for (const at of [0, 9, bytes.length - 1]) {
    const changed = bytes.slice();
    changed[at]! ^= 1;
    expect(decodeCheckpoint(changed)).toBeNull();
  }
  for (let length = 0; length < bytes.length; length++) expect(decodeCheckpoint(bytes.slice(0, length))).toBeNull();
});
