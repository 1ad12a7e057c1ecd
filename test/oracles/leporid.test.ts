import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { LaplacianForm } from '#workers/graphs/laplacian.ts';
import { nearestNeighbourGraph } from '#workers/graphs/nearestNeighbourGraph.ts';
import { type SpectralEmbedding, spectralEmbedding } from '#workers/graphs/spectralEmbedding.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { knnGraphs, setsById, setsOfLists } from './graphOracles.ts';
import { oracleFile } from './oracleFile.ts';
import { realDataset } from './realDataset.ts';

const numbers = z.array(z.number());
const spectrum = z.object({
  alpha: z.number(),
  eigenvalues: numbers,
  fingerprint: z.array(
    z.object({
      k: z.number(),
      gap: z.number(),
      valid: z.boolean(),
      projector_diagonal: numbers,
      projector_row0: numbers,
      projector_frobenius_check_sum_abs: z.number(),
      weighted_gram_diagonal: numbers,
    }),
  ),
});
const symmetric = { L_sym: spectrum, L_regsym: z.array(spectrum) };
const side = z.object({ ...symmetric, L_reg_unnormalised: z.array(spectrum) });
const oracle = oracleFile(
  'leporid.json',
  z.object({
    small: z.object({ user: side, item: side }),
    isolated_case: z.object({
      users_items: z.array(numbers),
      n_items: z.number(),
      K: z.number(),
      isolated_nodes: numbers,
      ...symmetric,
    }),
    'ml-100k': z.record(z.string(), z.object({ eigenvalues_smallest: numbers, dmax: z.number() })),
  }),
);
type Spectrum = z.output<typeof spectrum>;

/** Q Q', or Q diag(weights) Q', of the columns of an embedding. */
function projector({ vectors, dimensions }: SpectralEmbedding, weights: ArrayLike<number> | null): Float64Array {
  const nodes = vectors.length / dimensions;
  const product = new Float64Array(nodes * nodes);
  for (let i = 0; i < nodes; i++) {
    for (let j = 0; j < nodes; j++) {
      for (let d = 0; d < dimensions; d++) {
        product[i * nodes + j]! += (weights?.[d] ?? 1) * vectors[i * dimensions + d]! * vectors[j * dimensions + d]!;
      }
    }
  }
  return product;
}

function expectClose(found: ArrayLike<number>, wanted: readonly number[], tolerance: number): void {
  expect(found.length).toBe(wanted.length);
  for (const [i, value] of wanted.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(tolerance);
}

describe.runIf(kernelsAreBuilt())('spectral embeddings of the reference', () => {
  let threads: NumericThreads;
  beforeAll(async () => {
    threads = await NumericThreads.open(2);
  });
  afterAll(() => threads.close());

  const check = async (graph: SparseMatrix, wanted: Spectrum, laplacian: LaplacianForm): Promise<void> => {
    const { alpha, eigenvalues, fingerprint } = wanted;
    const all = await spectralEmbedding(threads, graph, { dimensions: eigenvalues.length, alpha, laplacian });
    expectClose(all.eigenvalues, eigenvalues, 1e-9);
    for (const print of fingerprint.filter(({ valid }) => valid)) {
      const found = await spectralEmbedding(threads, graph, { dimensions: print.k, alpha, laplacian });
      const tolerance = 1e-8 / Math.min(1, print.gap);
      const [plain, weighted] = [projector(found, null), projector(found, found.eigenvalues)];
      const nodes = graph.rowCount;
      const diagonal = (matrix: Float64Array) => Array.from({ length: nodes }, (_, i) => matrix[i * nodes + i]!);
      expectClose(diagonal(plain), print.projector_diagonal, tolerance);
      expectClose(plain.subarray(0, nodes), print.projector_row0, tolerance);
      expectClose(diagonal(weighted), print.weighted_gram_diagonal, tolerance);
      const sum = plain.reduce((total, value) => total + Math.abs(value), 0);
      expect(Math.abs(sum - print.projector_frobenius_check_sum_abs)).toBeLessThan(1e-6);
    }
  };

  test.each(['user', 'item'] as const)('of the small %s graph, by every Laplacian', async (which) => {
    const { users_items: lists, n_items: items, K: neighbours } = knnGraphs.small;
    const users = setsOfLists(lists, items);
    const graph = nearestNeighbourGraph(threads, which === 'user' ? users : transposeSparse(users), { neighbours });
    const wanted = oracle.small[which];
    await check(graph, wanted.L_sym, 'symmetric');
    for (const one of wanted.L_regsym) await check(graph, one, 'symmetric');
    for (const one of wanted.L_reg_unnormalised) await check(graph, one, 'unnormalised');
  });

  test('of a graph with an isolated node, which has 1 on the diagonal of L', async () => {
    const { users_items: lists, n_items: items, K: neighbours, L_sym, L_regsym } = oracle.isolated_case;
    const graph = nearestNeighbourGraph(threads, setsOfLists(lists, items), { neighbours });
    await check(graph, L_sym, 'symmetric');
    for (const one of L_regsym) await check(graph, one, 'symmetric');
  });

  test.for(Object.entries(oracle['ml-100k']))(
    'of ml-100k %s: its smallest eigenvalues',
    async ([name, wanted], context) => {
      const [, side, neighbours, alpha] = /^(users|items) K=(\d+) alpha=(\S+)$/.exec(name)!;
      const dataset = await realDataset({ name: 'ml-100k' });
      if (dataset === null) return context.skip('the dataset is in no folder of WARREN_DATA');
      const sets = setsById(dataset);
      const graph = nearestNeighbourGraph(threads, side === 'users' ? sets : transposeSparse(sets), {
        neighbours: Number(neighbours),
      });
      const solver = { tolerance: 1e-11 };
      const smallest = wanted.eigenvalues_smallest;
      const request = { dimensions: smallest.length, alpha: Number(alpha), laplacian: 'symmetric' as const, solver };
      const { eigenvalues, residuals } = await spectralEmbedding(threads, graph, request);
      expectClose(eigenvalues, smallest, 1e-9);
      expect(Math.max(...residuals)).toBeLessThan(1e-9);
    },
  );
});
