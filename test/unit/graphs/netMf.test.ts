import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barabasiAlbert } from '#workers/data/generate/generateGraph.ts';
import { netMf } from '#workers/graphs/netMf.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { sparseFromTriplets } from '#workers/math/sparse/sparseFromTriplets.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';

const NODES = 30;

function times(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: NODES * NODES }, (_, at) => {
    const [row, column] = [Math.floor(at / NODES), at % NODES];
    let sum = 0;
    for (let k = 0; k < NODES; k++) sum += a[row * NODES + k]! * b[k * NODES + column]!;
    return sum;
  });
}

describe.runIf(kernelsAreBuilt())('NetMF', () => {
  let threads: NumericThreads;
  beforeAll(async () => {
    threads = await NumericThreads.open(2);
  });
  afterAll(() => threads.close());

  const { from, to } = barabasiAlbert(NODES, 3, randomGenerator(6, 'netmf'));
  const graph = sparseFromTriplets({
    rowCount: NODES,
    columnCount: NODES,
    rows: [...from, ...to],
    columns: [...to, ...from],
  });

  test('of full rank factorises log max(1, vol/(bT) Σ (D⁻¹W)^r D⁻¹)', async () => {
    const [window, negatives] = [4, 1.5];
    const weights = Array<number>(NODES * NODES).fill(0);
    for (let row = 0; row < NODES; row++) {
      for (let at = graph.offsets[row]!; at < graph.offsets[row + 1]!; at++)
        weights[row * NODES + graph.columns[at]!] = 1;
    }
    const degrees = Array.from({ length: NODES }, (_, row) => graph.offsets[row + 1]! - graph.offsets[row]!);
    const volume = degrees.reduce((sum, degree) => sum + degree, 0);
    const step = weights.map((weight, at) => weight / degrees[Math.floor(at / NODES)]!);
    let power = step;
    let sum = step.slice();
    for (let r = 2; r <= window; r++) {
      power = times(power, step);
      sum = sum.map((value, at) => value + power[at]!);
    }
    const logarithms = sum.map((value, at) =>
      Math.log(Math.max(1, ((volume / (negatives * window)) * value) / degrees[at % NODES]!)),
    );
    const request = { dimensions: NODES, window, rank: NODES, negatives };
    const vectors = Array.from(await netMf(threads, graph, request));
    // X X' = U Σ U' of the symmetric matrix M = U Σ V', so that its square is that of M
    const turned = vectors.map((_, at) => vectors[(at % NODES) * NODES + Math.floor(at / NODES)]!);
    const gram = times(vectors, turned);
    const [found, expected] = [times(gram, gram), times(logarithms, logarithms)];
    for (const [at, value] of expected.entries()) expect(found[at]).toBeCloseTo(value, 6);
  });

  test('refuses more dimensions than nodes and graphs without edges', async () => {
    const request = { window: 2, rank: 8, negatives: 1 };
    await expect(netMf(threads, graph, { ...request, dimensions: 31 })).rejects.toThrow(
      /31 dimensions for a graph of 30/,
    );
    const none = sparseFromTriplets({ rowCount: 5, columnCount: 5, rows: [], columns: [] });
    await expect(netMf(threads, none, { ...request, dimensions: 2 })).rejects.toThrow(/without edges/);
  });
});
