import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barabasiAlbert } from '#workers/data/generate/generateGraph.ts';
import { componentSizes } from '#workers/graphs/graphReport.ts';
import { unnormalisedLaplacian } from '#workers/graphs/laplacian.ts';
import { EmbeddingNotConverged, type SpectralRequest, spectralEmbedding } from '#workers/graphs/spectralEmbedding.ts';
import { zScoreColumns } from '#workers/graphs/zScoreColumns.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';

function graphOf(rowCount: number, edges: readonly (readonly [number, number])[]): SparseMatrix {
  return sparseFromTriplets({
    rowCount,
    columnCount: rowCount,
    rows: edges.flat(),
    columns: edges.flatMap(([a, b]) => [b, a]),
  });
}

/** Cycles of 5, one after the other. */
function cycles(count: number): SparseMatrix {
  const edges = Array.from({ length: 5 * count }, (_, node): [number, number] => [
    node,
    node - (node % 5) + ((node + 1) % 5),
  ]);
  return graphOf(5 * count, edges);
}

describe.runIf(kernelsAreBuilt())('spectral embeddings', () => {
  let threads: NumericThreads;
  beforeAll(async () => {
    threads = await NumericThreads.open(2);
  });
  afterAll(() => threads.close());

  const embed = (graph: SparseMatrix, request: Partial<SpectralRequest>) =>
    spectralEmbedding(threads, graph, { dimensions: 8, alpha: 0, laplacian: 'symmetric', ...request });

  test.each([4, 120])('of %i components have a zero for each, and the multiples that follow', async (count) => {
    const graph = cycles(count);
    expect(componentSizes(graph)).toHaveLength(count);
    const { eigenvalues, residuals, vectors } = await embed(graph, { dimensions: 2 * count });
    // a cycle of 5 has 1 - cos(2πk/5): 0 once, then two equal ones
    for (const [i, value] of eigenvalues.entries()) {
      expect(value).toBeCloseTo(i < count ? 0 : 1 - Math.cos((2 * Math.PI) / 5), 9);
    }
    expect(Math.max(...residuals)).toBeLessThan(1e-8);
    // the zeros' eigenspace is spanned by the indicators of the components: the projector has 1/5 inside, 0 outside
    const inner = (a: number, b: number): number => {
      let sum = 0;
      for (let d = 0; d < count; d++) sum += vectors[a * 2 * count + d]! * vectors[b * 2 * count + d]!;
      return sum;
    };
    expect(inner(0, 0)).toBeCloseTo(0.2, 8);
    expect(inner(0, 4)).toBeCloseTo(0.2, 8);
    expect(inner(0, 5)).toBeCloseTo(0, 8);
  });

  test('give isolated nodes the eigenvalue 1 of L_sym, 0 of L, and for α > 0 the 1 of L_regsym', async () => {
    const graph = graphOf(4, [
      [0, 1],
      [1, 2],
    ]);
    const values = async (alpha: number, laplacian: SpectralRequest['laplacian']) =>
      Array.from(
        (await embed(graph, { dimensions: 4, alpha, laplacian })).eigenvalues,
        (value) => Number(value.toFixed(9)) + 0,
      );
    expect(await values(0, 'symmetric')).toEqual([0, 1, 1, 2]);
    expect(await values(0, 'unnormalised')).toEqual([0, 0, 1, 3]);
    expect(await values(0.5, 'symmetric')).toContain(1);
  });

  test('have unit columns, orthogonal, the component of largest magnitude positive, the same every time', async () => {
    const edges = barabasiAlbert(600, 4, randomGenerator(3, 'spectral'));
    const graph = graphOf(
      600,
      Array.from(edges.from, (from, i): [number, number] => [from, edges.to[i]!]),
    );
    const found = await embed(graph, { alpha: 0.5 });
    expect(await embed(graph, { alpha: 0.5 })).toEqual(found);
    const column = (d: number) => Array.from({ length: 600 }, (_, row) => found.vectors[8 * row + d]!);
    for (let d = 0; d < 8; d++) {
      const values = column(d);
      expect(values.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 10);
      expect(Math.max(...values)).toBe(Math.max(...values.map(Math.abs)));
      const other = column((d + 1) % 8);
      expect(values.reduce((sum, value, row) => sum + value * other[row]!, 0)).toBeCloseTo(0, 8);
    }
  });

  test('of the largest magnitudes are those that ARPACK gives the authors: both ends of the spectrum', async () => {
    // two components of two nodes: eigenvalues of L_sym 0, 0, 2, 2
    const pairs = graphOf(6, [
      [0, 1],
      [2, 3],
      [3, 4],
      [4, 5],
    ]);
    const all = await embed(pairs, { dimensions: 6 });
    const byMagnitude = [...all.eigenvalues].sort((a, b) => Math.abs(1 - b) - Math.abs(1 - a)).slice(0, 4);
    const found = await embed(pairs, { dimensions: 4, choice: 'largest-magnitude' });
    expect([...found.eigenvalues].sort()).toEqual(byMagnitude.sort().map((value) => expect.closeTo(value, 9)));
  });

  test('that do not converge keep what did, and say how far they got', async () => {
    const edges = barabasiAlbert(2000, 5, randomGenerator(4, 'spectral'));
    const graph = graphOf(
      2000,
      Array.from(edges.from, (from, i): [number, number] => [from, edges.to[i]!]),
    );
    const solver = { maximumProducts: 1, tolerance: 1e-14 };
    const failure: unknown = await embed(graph, { dimensions: 40, solver }).catch((error: unknown) => error);
    if (!(failure instanceof EmbeddingNotConverged)) throw new Error('expected EmbeddingNotConverged');
    expect(failure.code).toBe('RUN_FAILED');
    expect(failure.message).toMatch(/of 40/);
    const { partial } = failure;
    expect(partial.vectors).toHaveLength(2000 * partial.dimensions);
    expect(partial.dimensions).toBeLessThan(40);
    expect(threads.heap.bytesInUse).toBe(0);
  });

  test.each([
    [{ dimensions: 7 }, /7 dimensions for a graph of 6 nodes; expected a whole number from 1 to 6/],
    [{ dimensions: 0 }, /expected a whole number from 1 to 6/],
    [{ dimensions: 2, alpha: 1.01 }, /α is 1.01; expected 0 to 1/],
    [{ dimensions: 2, alpha: Number.NaN }, /α is NaN/],
    [{ dimensions: 2, laplacian: 'unnormalised', choice: 'largest-magnitude' }, /expected smallest/],
  ] as const)('of %j are refused', async (request, message) => {
    const graph = graphOf(6, [[0, 1]]);
    await expect(embed(graph, request)).rejects.toThrow(message);
  });
});

test('L_reg with α = 1 has d_max on its whole diagonal', () => {
  const star = graphOf(4, [
    [0, 1],
    [0, 2],
    [0, 3],
  ]);
  const { offsets, columns, values } = unnormalisedLaplacian(star, 1);
  for (let row = 0; row < 4; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) expect(values[at]).toBe(columns[at] === row ? 3 : -1);
  }
});

test('z-scores have mean 0 and population variance 1; constant columns are 0', () => {
  const scaled = zScoreColumns(Float64Array.of(1, 0.1, 2, 0.1, 6, 0.1), 2);
  const deviation = Math.sqrt(14 / 3);
  const expected = [-2, 0, -1, 0, 3, 0];
  for (const [at, value] of expected.entries()) expect(scaled[at]).toBeCloseTo(value / deviation, 12);
});
