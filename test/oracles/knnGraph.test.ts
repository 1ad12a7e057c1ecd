import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nearestNeighbourGraph } from '../../workers/graphs/nearestNeighbourGraph.ts';
import { sparseFromTriplets } from '../../workers/math/sparseFromTriplets.ts';
import type { SparseMatrix } from '../../workers/math/sparseMatrix.ts';
import { sparseRowSums, symmetricNormalisation } from '../../workers/math/symmetricNormalisation.ts';
import { transposeSparse } from '../../workers/math/transposeSparse.ts';
import { kernelsAreBuilt } from '../../workers/wasm/kernelModule.ts';
import { NumericThreads } from '../../workers/wasm/numericThreads.ts';
import { sparseEigenpairs } from '../../workers/wasm/sparseEigenpairs.ts';
import { oracleFile } from './oracleFile.ts';
import { realDataset } from './realDataset.ts';

const graph = z.object({ edges: z.array(z.tuple([z.number(), z.number(), z.number()])) });
const real = z.object({ K: z.number(), summary: z.object({ nnz: z.number(), sum_W: z.number(), sum_W2: z.number() }) });
const graphs = oracleFile(
  'knn_graph.json',
  z.object({
    small: z.object({
      users_items: z.array(z.array(z.number())),
      n_items: z.number(),
      K: z.number(),
      user: graph,
      item: graph,
    }),
    real: z.record(z.string(), real),
  }),
);
const spectrum = z.object({ L_sym: z.object({ eigenvalues: z.array(z.number()) }) });
const spectra = oracleFile('leporid.json', z.object({ small: z.object({ user: spectrum, item: spectrum }) }));

function setsOf(lists: readonly (readonly number[])[], columnCount: number): SparseMatrix {
  const rows = lists.flatMap((list, user) => list.map(() => user));
  return sparseFromTriplets({ rowCount: lists.length, columnCount, rows, columns: lists.flat() });
}

const { small } = graphs;
const users = setsOf(small.users_items, small.n_items);
const sides = { user: users, item: transposeSparse(users) };

test.each(['user', 'item'] as const)('the small %s graph has the edges and weights of the reference', (side) => {
  const { rowCount, offsets, columns, values } = nearestNeighbourGraph(sides[side], small.K);
  const edges: [number, number, number][] = [];
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      if (columns[at]! > row) edges.push([row, columns[at]!, values[at]!]);
    }
  }
  expect(edges).toEqual(small[side].edges);
});

test('the graph of ml-100k users has the size and sums of the reference', async (context) => {
  const dataset = await realDataset({ name: 'ml-100k' });
  if (dataset === null) return context.skip();
  // The reference numbers users and items by their ids, and ties go to the lower number.
  const rows: number[] = [];
  const columns: number[] = [];
  for (let user = 0; user < dataset.userCount; user++) {
    for (let at = dataset.offsets[user]!; at < dataset.offsets[user + 1]!; at++) {
      rows.push(Number(dataset.userIds[user]) - 1);
      columns.push(Number(dataset.itemIds[dataset.items[at]!]) - 1);
    }
  }
  const { K, summary } = graphs.real['ml-100k users K=50']!;
  const found = nearestNeighbourGraph(sparseFromTriplets({ rowCount: 943, columnCount: 1682, rows, columns }), K);
  expect(found.values.length).toBe(summary.nnz);
  const total = sparseRowSums(found).reduce((sum, degree) => sum + degree, 0);
  expect(total / summary.sum_W).toBeCloseTo(1, 9);
  const squares = found.values.reduce((sum, value) => sum + value * value, 0);
  expect(squares / summary.sum_W2).toBeCloseTo(1, 9);
});

describe.runIf(kernelsAreBuilt())('eigenvalues of normalised Laplacians', () => {
  let threads: NumericThreads;
  beforeAll(async () => {
    threads = await NumericThreads.open(2);
  });
  afterAll(() => threads.close());

  test.each(['user', 'item'] as const)('of the small %s graph are the reference', async (side) => {
    const adjacency = symmetricNormalisation(nearestNeighbourGraph(sides[side], small.K));
    const count = 20;
    const found = await sparseEigenpairs(threads, adjacency, { count, end: 'largest', tolerance: 1e-12 });
    for (const [i, eigenvalue] of spectra.small[side].L_sym.eigenvalues.slice(0, count).entries()) {
      expect(1 - found.values[i]!).toBeCloseTo(eigenvalue, 10);
    }
  });
});
