import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nearestNeighbourGraph } from '#workers/graphs/nearestNeighbourGraph.ts';
import { nearestNeighbourGraphReference } from './nearestNeighbourGraphReference.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';

/** Random sets; small ones tie often, and some features are far more common than others. */
function randomSets(nodes: number, features: number, size: number): SparseMatrix {
  const generator = randomGenerator(7, `sets ${nodes} ${features} ${size}`);
  const rows: number[] = [];
  const columns: number[] = [];
  for (let row = 0; row < nodes; row++) {
    for (let i = generator.nextInt(size); i > 0; i--) {
      rows.push(row);
      columns.push(Math.floor(features * generator.nextFloat() ** 2));
    }
  }
  return sparseFromTriplets({ rowCount: nodes, columnCount: features, rows, columns });
}

describe.runIf(kernelsAreBuilt())('nearest-neighbour graphs', () => {
  let threads: NumericThreads;
  beforeAll(async () => {
    threads = await NumericThreads.open(2);
  });
  afterAll(() => threads.close());

  test.each([
    [90, 20, 6, 5],
    [300, 1000, 20, 10],
    [250, 30, 40, 60],
    [70, 12, 8, 69],
    [2, 3, 3, 1],
  ])('of %i sets are those of all pairs compared, for every similarity', (nodes, features, size, neighbours) => {
    const sets = randomSets(nodes, features, size);
    for (const similarity of ['jaccard', 'cosine', 'inverse-frequency'] as const) {
      const found = nearestNeighbourGraph(threads, sets, { neighbours, similarity });
      expect(found).toEqual(nearestNeighbourGraphReference(sets, neighbours, similarity));
    }
  });

  test('do not depend on the number of threads', async () => {
    const sets = randomSets(2000, 300, 30);
    const one = await NumericThreads.open(1);
    try {
      const request = { neighbours: 50, similarity: 'inverse-frequency' } as const;
      expect(nearestNeighbourGraph(one, sets, request)).toEqual(nearestNeighbourGraph(threads, sets, request));
    } finally {
      await one.close();
    }
  });

  test('give back the memory that they took, cancelled ones too', () => {
    const sets = randomSets(100, 30, 10);
    nearestNeighbourGraph(threads, sets, { neighbours: 5 });
    expect(threads.heap.bytesInUse).toBe(0);
    const pulse = () => {
      throw new Error('stop');
    };
    expect(() => nearestNeighbourGraph(threads, sets, { neighbours: 5, pulse })).toThrow('stop');
    expect(threads.heap.bytesInUse).toBe(0);
  });

  test.each([0, 100, 1.5])('with %d neighbours of 100 nodes are refused', (neighbours) => {
    const sets = randomSets(100, 30, 10);
    expect(() => nearestNeighbourGraph(threads, sets, { neighbours })).toThrow(/expected a whole number from 1 to 99/);
  });
});
