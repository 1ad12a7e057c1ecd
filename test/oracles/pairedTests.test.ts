import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pairedDifferenceTest, welchDifferenceTest } from '#src/statistics/differenceTest.ts';
import { holmAdjusted } from '#src/statistics/holm.ts';
import { normalAbove } from '#src/statistics/normalDistribution.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';
import { userDifferences, userValues } from '#src/statistics/userValues.ts';
import { wilcoxonTest } from '#src/statistics/wilcoxon.ts';
import pairedTests from './pairedTests.json';

const number = z.number();
const numbers = z.array(number);
const pValues = z.object({ two_sided: number, a_greater: number, a_less: number });
const tTest = z.object({ t: number, df: number, p: pValues, interval: numbers });
const signedRank = z.object({ method: z.enum(['exact', 'normal']), w: number, p: pValues });
const oracle = z
  .object({
    quantiles: z.array(z.object({ level: number, df: number, t: number })),
    normal: z.array(z.object({ z: number, above: number })),
    samples: z.array(z.object({ a: numbers, b: numbers, paired: tTest, welch: tTest })),
    wilcoxon: z.array(signedRank.extend({ differences: numbers })),
    per_user: z.array(
      z.object({
        state: number,
        users: number,
        cutoff: number,
        metrics: z.record(
          z.string(),
          z.object({ means: numbers, t: number, p: number, interval: numbers, wilcoxon: signedRank }),
        ),
      }),
    ),
    holm: z.array(z.object({ p: numbers, adjusted: numbers })),
  })
  .parse(pairedTests);

/** Within a relative 1e-10. */
function expectNear(found: number, expected: number): void {
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-10 * Math.abs(expected));
}

test.each(oracle.quantiles)("Student's quantile of $level with $df degrees of freedom", ({ level, df, t }) => {
  expectNear(studentQuantile(level, df), t);
});

test.each(oracle.normal)('normal tail above $z', ({ z: from, above }) => expectNear(normalAbove(from), above));

describe.each(oracle.samples.map((sample, index) => [index, sample] as const))('samples %i', (_index, sample) => {
  const { a, b } = sample;
  const differences = a.map((value, pair) => value - b[pair]!);

  test.each(['higher', 'lower'] as const)('paired and Welch, %s is better', (direction) => {
    const [paired, welch] = [pairedDifferenceTest(differences, direction)!, welchDifferenceTest(a, b, direction)!];
    for (const [found, expected] of [
      [paired, sample.paired],
      [welch, sample.welch],
    ] as const) {
      expectNear(found.t, expected.t);
      expectNear(found.df, expected.df);
      expectNear(found.low, expected.interval[0]!);
      expectNear(found.high, expected.interval[1]!);
      expectNear(found.p, expected.p.two_sided);
      expectNear(found.pBetter!, direction === 'higher' ? expected.p.a_greater : expected.p.a_less);
    }
  });
});

test.each(oracle.wilcoxon.map((sample, index) => [index, sample] as const))(
  'signed ranks with ties and zeros, %i',
  (_index, { differences, method, w, p }) => {
    const found = wilcoxonTest(differences, method);
    expect(found.w).toBe(w);
    expectNear(found.p, p.two_sided);
    expectNear(found.pAbove, p.a_greater);
    expectNear(found.pBelow, p.a_less);
  },
);

test.each(oracle.per_user)('users by their ranks in five runs, $users users', ({ state, users, cutoff, metrics }) => {
  const draw = minimalStandard(state);
  const runs = Array.from({ length: 5 }, (_, run) =>
    Float64Array.from({ length: users }, () => Math.floor(((draw() % 30) * (29 - Math.floor(run / 3))) / 30)),
  );
  for (const [name, expected] of Object.entries(metrics)) {
    const values = runs.map((ranks) =>
      userValues({ of: 'ranks', columns: [cutoff], rows: users, values: ranks }, `${name}@${cutoff}`),
    );
    const [worse, better] = [meanOverRuns(values.slice(0, 3)), meanOverRuns(values.slice(3))];
    expectNear(summarizeReplicates([...better]).mean, expected.means[0]!);
    expectNear(summarizeReplicates([...worse]).mean, expected.means[1]!);
    const differences = userDifferences(better, worse, 1e-12);
    const found = pairedDifferenceTest(differences, 'higher')!;
    expectNear(found.t, expected.t);
    expectNear(found.p, expected.p);
    expectNear(found.low, expected.interval[0]!);
    expectNear(found.high, expected.interval[1]!);
    const ranked = wilcoxonTest(differences, 'normal');
    expect(ranked.w).toBe(expected.wilcoxon.w);
    expectNear(ranked.p, expected.wilcoxon.p.two_sided);
    expectNear(ranked.pAbove, expected.wilcoxon.p.a_greater);
  }
});

test.each(oracle.holm)("Holm's correction of $p", ({ p, adjusted }) => {
  for (const [at, found] of holmAdjusted(p).entries()) expectNear(found, adjusted[at]!);
});

function meanOverRuns(runs: readonly Float64Array[]): Float64Array {
  return runs[0]!.map((_, user) => runs.reduce((sum, values) => sum + values[user]!, 0) / runs.length);
}

/** The script's generator: Park and Miller 1988. */
function minimalStandard(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state;
  };
}
