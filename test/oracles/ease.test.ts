import { expect, test } from 'vitest';
import { z } from 'zod';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { cholesky, solveTriangular } from '#workers/math/dense/cholesky.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { lowerCoOccurrences } from '#workers/models/coOccurrences.ts';
import { easeScores, fitEase, weightsByItems, weightsByUsers } from '#workers/models/ease.ts';
import { incidence } from '#workers/models/incidence.ts';
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
    fewUsers: z.number(),
    rowsOfFewUsers: z.record(z.string(), z.array(z.number())),
    scoresOfUser5: z.array(z.number()),
  }),
);

const { items, l2, sequences, fewUsers } = oracle;

test.runIf(kernelsAreBuilt()).each([
  ['more users than items', sequences, oracle.rows],
  ['fewer users than items', sequences.slice(0, fewUsers), oracle.rowsOfFewUsers],
])('weights are those of numpy, on any number of lanes: %s', async (_, given, rows) => {
  const training = leaveOneOut(datasetOf(given, items));
  const found: Float64Array[] = [];
  for (const lanes of [1, 2, 3]) found.push(await onLanes(lanes, (threads) => fitEase(threads, training, { l2 })));
  const [weights = new Float64Array(), ...others] = found;
  for (const other of others) expect(other).toEqual(weights);
  for (const [row, expected] of Object.entries(rows)) {
    for (const [column, value] of expected.entries()) {
      expect(weights[Number(row) * items + column]).toBeCloseTo(value, 11);
    }
  }
});

test.runIf(kernelsAreBuilt()).each([
  [3.5, 12, 12],
  [0.001, 10, 5], // sweeps round more than a Cholesky factor where items are nearly dependent
])('over items or over users, weights are those of a plain inverse: λ = %d', async (l2, usersDigits, itemsDigits) => {
  // some items that nobody has met, and a user who has met one
  const met = incidence(leaveOneOut(datasetOf([...sequences.slice(0, 50), [1, 2, 1]], items + 21)));
  const n = items + 21;
  const gram = lowerCoOccurrences(met);
  for (let item = 0; item < n; item++) gram[item * n + item]! += l2;
  const expected = plainInverse(gram, n);
  const [byItems, byUsers] = await onLanes(2, (threads) => [
    weightsByItems(threads, met, { l2 }),
    weightsByUsers(threads, met, { l2 }),
  ]);
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      const weight = row === column ? 0 : -expected[row * n + column]! / expected[column * n + column]!;
      expect(byUsers[row * n + column]).toBeCloseTo(weight, usersDigits);
      expect(byItems[row * n + column]).toBeCloseTo(weight, itemsDigits);
    }
  }
});

test.runIf(kernelsAreBuilt())('scores are those of numpy', async () => {
  const training = leaveOneOut(datasetOf(sequences, items));
  const weights = await onLanes(1, (threads) => fitEase(threads, training, { l2 }));
  const scores = new Float64Array(items);
  easeScores(weights, Uint32Array.from(sequences[5]!.slice(0, -2)), scores);
  for (const [item, value] of oracle.scoresOfUser5.entries()) expect(scores[item]).toBeCloseTo(value, 11);
});

async function onLanes<Result>(lanes: number, compute: (threads: NumericThreads) => Result): Promise<Result> {
  const threads = await NumericThreads.open(lanes);
  try {
    return compute(threads);
  } finally {
    await threads.close();
  }
}

/** By a Cholesky factor and two solves. */
function plainInverse(matrix: Float64Array, n: number): Float64Array {
  const identity = new Float64Array(n * n);
  for (let i = 0; i < n; i++) identity[i * n + i] = 1;
  const factor = cholesky(matrix, n);
  const forward = solveTriangular(factor, n, { b: identity, width: n, transposed: false });
  return solveTriangular(factor, n, { b: forward, width: n, transposed: true });
}

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
      const plain = plainInverse(matrix, n);
      for (let at = 0; at < n * n; at++) expect(Math.abs(inverse[at]! - plain[at]!)).toBeLessThan(1e-10);
      matrix[100 * n + 100] = -3;
      expect(() => symmetricInverse(threads, matrix, n)).toThrow(/pivot 101 of 150.*adding about/);
    } finally {
      await threads.close();
    }
  },
);
