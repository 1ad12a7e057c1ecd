import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeNpyTable } from '#src/base/contracts/npyTable.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { newFolder } from '../dataFiles.ts';

test('has the layout of numpy.lib.format, version 1.0', () => {
  const bytes = Buffer.from(encodeNpy(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]));
  expect(bytes.toString('latin1', 0, 8)).toBe('\x93NUMPY\x01\x00');
  const start = 10 + bytes.readUInt16LE(8);
  expect(start % 64).toBe(0);
  expect(bytes.toString('latin1', 10, start)).toMatch(
    /^\{'descr': '<f4', 'fortran_order': False, 'shape': \(2, 3\), \} *\n$/,
  );
  expect(bytes.length - start).toBe(24);
  expect(bytes.readFloatLE(start + 20)).toBe(6);
});

test('a vector has a one-tuple as its shape', () => {
  expect(Buffer.from(encodeNpy(Int32Array.of(7, 8), [2])).toString('latin1')).toContain(
    "'<i4', 'fortran_order': False, 'shape': (2,)",
  );
});

test('refuses a shape that is not that of the values', () => {
  expect(() => encodeNpy(new Float32Array(5), [2, 3])).toThrow('internal: 5 values, shape (2, 3)');
});

test('a table is read from bytes of either type, wherever they lie', () => {
  const file = encodeNpy(Float64Array.of(0.5, -1, 2.25, 8, 3, 4), [3, 2]);
  const inside = Buffer.concat([Buffer.from([1, 2, 3]), file]).subarray(3);
  for (const bytes of [file, Buffer.from(file), inside]) {
    expect(decodeNpyTable(bytes, 'a.npy')).toEqual({
      rows: 3,
      columns: 2,
      values: Float64Array.of(0.5, -1, 2.25, 8, 3, 4),
    });
  }
});

test('integers are read where they are expected', () => {
  const file = encodeNpy(Int32Array.of(1, -2, 3, 0), [2, 2]);
  expect(decodeNpyTable(file, 'ranks.npy', { integers: true }).values).toEqual(Float64Array.of(1, -2, 3, 0));
  expect(() => decodeNpyTable(file, 'ranks.npy')).toThrow(
    'its numbers are <i4; expected a .npy file of a table of floats',
  );
});

const python = spawnSync('python3', ['-c', 'import numpy']).status === 0;
test.skipIf(!python)('numpy reads it (skipped where there is no numpy)', () => {
  const path = join(newFolder(), 'a.npy');
  writeFileSync(path, encodeNpy(Float64Array.of(0.5, -1, 2.25, 8), [2, 2]));
  const printed = spawnSync('python3', ['-c', `import numpy; print(numpy.load(${JSON.stringify(path)}).tolist())`]);
  expect(printed.stdout.toString().trim()).toBe('[[0.5, -1.0], [2.25, 8.0]]');
});
