import { expect, test } from 'vitest';
import { z } from 'zod';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { cholesky, solveTriangular } from '#workers/math/dense/cholesky.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { easeScores, fitEase } from '#workers/models/ease.ts';
import { kernelsAreBuilt, setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import { openblasSupport } from '#workers/wasm/calls/openblasSupport.ts';
import { symmetricInverse } from '#workers/wasm/linearAlgebra/symmetricInverse.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { datasetOf } from '../unit/data/dataFiles.ts';
import { oracleFile } from './oracleFile.ts';

const oracle = oracleFile(
  'ease.json',
  z.object({
    items: z.number(),
    l2: z.number(),
    sequences: z.array(z.array(z.number())),
    rows: z.record(z.string(), z.array(z.number())),
    scoresOfUser5: z.array(z.number()),
  }),
);

test.runIf(kernelsAreBuilt())('weights and scores are those of numpy, on any number of lanes', async () => {
  const { items, l2, sequences } = oracle;
  const training = leaveOneOut(datasetOf(sequences, items));
  const found: Float64Array[] = [];
  for (const lanes of [1, 2]) {
    const threads = await NumericThreads.open(lanes);
    try {
      found.push(fitEase(threads, training, { l2 }));
    } finally {
      await threads.close();
    }
  }
  const [weights = new Float64Array(), onTwo] = found;
  expect(onTwo).toEqual(weights);
  for (const [row, expected] of Object.entries(oracle.rows)) {
    for (const [column, value] of expected.entries()) {
      expect(weights[Number(row) * items + column]).toBeCloseTo(value, 11);
    }
  }
  const scores = new Float64Array(items);
  easeScores(weights, Uint32Array.from(sequences[5]!.slice(0, -2)), scores);
  for (const [item, value] of oracle.scoresOfUser5.entries()) expect(scores[item]).toBeCloseTo(value, 11);
});

const openblas = openblasSupport();
const arithmetics = 'reason' in openblas ? (['plain'] as const) : (['plain', 'openblas'] as const);

test.runIf(kernelsAreBuilt()).each(arithmetics)(
  'an inverse agrees with the plain one, and what has none is refused: %s',
  async (arithmetic) => {
    const n = 150;
    const generator = randomGenerator(2, 'inverse');
    const root = Float64Array.from({ length: n * n }, () => generator.normal());
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        for (let k = 0; k < n; k++) matrix[i * n + j]! += root[i * n + k]! * root[j * n + k]!;
      }
      matrix[i * n + i]! += 1;
    }
    setArithmetic(arithmetic);
    const threads = await NumericThreads.open(2);
    setArithmetic('plain'); // what is open keeps its own
    try {
      expect(threads.kernels.library === null).toBe(arithmetic === 'plain');
      const inverse = symmetricInverse(threads, matrix, n);
      const identity = new Float64Array(n * n);
      for (let i = 0; i < n; i++) identity[i * n + i] = 1;
      const factor = cholesky(matrix, n);
      const forward = solveTriangular(factor, n, { b: identity, width: n, transposed: false });
      const plain = solveTriangular(factor, n, { b: forward, width: n, transposed: true });
      for (let at = 0; at < n * n; at++) expect(Math.abs(inverse[at]! - plain[at]!)).toBeLessThan(1e-10);
      matrix[100 * n + 100] = -3;
      expect(() => symmetricInverse(threads, matrix, n)).toThrow(/pivot 101 of 150.*adding about/);
    } finally {
      await threads.close();
    }
  },
);
