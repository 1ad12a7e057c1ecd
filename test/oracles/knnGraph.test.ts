import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphReport } from '#workers/graphs/graphReport.ts';
import { nearestNeighbourGraph } from '#workers/graphs/nearestNeighbourGraph.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { sparseRowSums } from '#workers/math/sparse/symmetricNormalisation.ts';
import { transposeSparse } from '#workers/math/sparse/transposeSparse.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { knnGraphs, setsById, setsOfLists } from './graphOracles.ts';
import { datasetNamed, realDataset } from './realDataset.ts';

/** Sums over both directions that two graphs with other edges or weights do not share. */
function checksums(graph: SparseMatrix): { ij: number; i: number; total: number; squares: number } {
  const { rowCount, offsets, columns, values } = graph;
  let [ij, total, squares] = [0, 0, 0];
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      ij += values[at]! * (((row + 1) * (columns[at]! + 1)) % 97);
      total += values[at]!;
      squares += values[at]! ** 2;
    }
  }
  const i = sparseRowSums(graph).reduce((sum, degree, row) => sum + degree * ((row + 1) % 101), 0);
  return { ij, i, total, squares };
}

describe.runIf(kernelsAreBuilt())('nearest-neighbour graphs of the reference', () => {
  let threads: NumericThreads;
  beforeAll(async () => {
    threads = await NumericThreads.open(2);
  });
  afterAll(() => threads.close());

  const { small, real } = knnGraphs;
  const users = setsOfLists(small.users_items, small.n_items);
  const sides = { user: users, item: transposeSparse(users) };

  test.each(['user', 'item'] as const)('the small %s graph has its edges, weights and degrees', (side) => {
    const graph = nearestNeighbourGraph(threads, sides[side], { neighbours: small.K });
    const { rowCount, offsets, columns, values } = graph;
    const edges: [number, number, number][] = [];
    for (let row = 0; row < rowCount; row++) {
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
        if (columns[at]! > row) edges.push([row, columns[at]!, values[at]!]);
      }
    }
    expect(edges).toEqual(small[side].edges);
    for (const [node, degree] of sparseRowSums(graph).entries()) {
      expect(degree).toBeCloseTo(small[side].weighted_degree[node]!, 12);
    }
  });

  test.for(Object.entries(real))('%s has its counts and sums', async ([name, { K: neighbours, summary }], context) => {
    const [title, side] = name.split(' ');
    const dataset = await realDataset({ name: datasetNamed(title!) });
    if (dataset === null) return context.skip('the dataset is in no folder of WARREN_DATA');
    const sets = setsById(dataset);
    const graph = nearestNeighbourGraph(threads, side === 'users' ? sets : transposeSparse(sets), { neighbours });
    const report = graphReport(graph);
    expect(report).toMatchObject({
      nodes: summary.n,
      edges: summary.undirected_edges,
      components: summary.connected_components_incl_isolated,
      isolated: summary.isolated,
      neighbours: { least: summary.neighbours_min, greatest: summary.neighbours_max, mean: summary.neighbours_mean },
    });
    expect(graph.values.length).toBe(summary.nnz);
    const found = checksums(graph);
    const ratios = [
      found.total / summary.sum_W,
      found.squares / summary.sum_W2,
      found.ij / summary.checksum_ij,
      found.i / summary.checksum_i,
      report.weightedDegree.least / summary.weighted_degree_min,
      report.weightedDegree.greatest / summary.weighted_degree_max,
    ];
    for (const ratio of ratios) expect(ratio).toBeCloseTo(1, 9);
  });
});
