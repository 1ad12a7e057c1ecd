import { expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { binaryProjection } from '#workers/wasm/linearAlgebra/binaryProjection.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';

test.runIf(kernelsAreBuilt()).each([
  [1, 1, 1],
  [3, 5, 0.5],
  [16, 16, 0.3],
  [40, 17, 0.9],
  [33, 50, 0.1],
])("A' K A of a binary matrix is what its definition gives: %d × %d, %d of it ones", async (m, n, share) => {
  const generator = randomGenerator(3, `projection ${m} ${n}`);
  const binary = Array.from({ length: m }, () =>
    Array.from({ length: n }, () => (generator.nextFloat() < share ? 1 : 0)),
  );
  const inner = new Float64Array(m * m);
  for (let row = 0; row < m; row++) {
    for (let column = 0; column <= row; column++) {
      inner[row * m + column] = inner[column * m + row] = generator.normal();
    }
  }
  const offsets = new Uint32Array(n + 1);
  const rows: number[] = [];
  for (let column = 0; column < n; column++) {
    for (let row = 0; row < m; row++) if (binary[row]![column] === 1) rows.push(row);
    offsets[column + 1] = rows.length;
  }
  const expected = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < m; k++) {
        for (let l = 0; l < m; l++) expected[i * n + j]! += binary[k]![i]! * inner[k * m + l]! * binary[l]![j]!;
      }
    }
  }
  const found: Float64Array[] = [];
  for (const lanes of [1, 2, 3]) {
    const threads = await NumericThreads.open(lanes);
    try {
      found.push(binaryProjection(threads, { m, offsets, rows: Uint32Array.from(rows) }, inner));
    } finally {
      await threads.close();
    }
  }
  const [first = new Float64Array(), ...others] = found;
  for (const [at, value] of expected.entries()) expect(first[at]).toBeCloseTo(value, 11);
  for (const other of others) expect(other).toEqual(first);
});
