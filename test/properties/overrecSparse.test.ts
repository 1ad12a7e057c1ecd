import { expect, test } from 'vitest';
import { denseNearestRows } from './denseNearestRows.ts';
import { neighbourRows, type PrefixRange } from '#workers/kernels/neighbours/neighbourRows.ts';
import { patternKernel } from '#workers/kernels/pattern/patternKernel.ts';
import { sparseNearestRows } from '#workers/kernels/neighbours/sparseNearestRows.ts';
import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { randomSequences, testQueries } from './randomSequences.ts';

const RANGES: PrefixRange[] = [
  (n) => ({ first: 1, last: n - 3 }),
  (n) => ({ first: 1, last: n - 2 }),
  (n) => ({ first: Math.max(1, n - 3), last: n - 3 }),
];

function oneOf<Value>(random: RandomGenerator, values: readonly Value[]): Value {
  return values[random.nextInt(values.length)]!;
}

test('the sparse search finds the same rows and values as the dense computation, ties included', () => {
  let ties = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomGenerator(seed, 'overrec');
    const items = 1 + random.nextInt(12);
    const sequences = randomSequences(random, { users: 1 + random.nextInt(14), items, longest: 12 });
    const maximumLength = oneOf(random, [1, 3, 8, 40]);
    const range = oneOf(random, RANGES);
    const kernel = oneOf(random, ['rntk', 'nngp'] as const);
    const network = {
      activation: 'relu',
      layers: 1 + random.nextInt(3),
      sigmaW: oneOf(random, [0, 0.3, 1, Math.SQRT2, 2]),
      sigmaU: oneOf(random, [0, 0.5, 1]),
      sigmaV: oneOf(random, [1, 1.3]),
      sigmaB: oneOf(random, [0, 0, 0.4]),
      sigmaH: oneOf(random, [0, 0, 0.7]),
    } as const;
    const count = 1 + random.nextInt(12);
    const queries = testQueries(sequences, maximumLength);
    const dense = denseNearestRows(sequences, queries, { range, network, kernel, maximumLength, count });
    const sparse = sparseNearestRows(neighbourRows(sequences, range, maximumLength), queries, {
      kernel: patternKernel({ network, kernel, variant: 'exact', maximumLength }),
      count,
    });
    expect([...sparse.rows], `rows, seed ${seed}`).toEqual([...dense.rows]);
    expect([...sparse.values], `values, seed ${seed}`).toEqual([...dense.values]);
    for (let at = 1; at < dense.values.length; at++) {
      if (at % count > 0 && dense.rows[at]! >= 0 && dense.values[at] === dense.values[at - 1]) ties++;
    }
  }
  expect(ties).toBeGreaterThan(1000);
});
