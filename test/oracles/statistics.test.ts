import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { accuracyMeasure, type MeasureName } from '#src/catalog/studies/rntk/accuracyMeasures.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { pairedTTest, studentTTest, welchTTest } from '#src/statistics/tTests.ts';
import { wilcoxonTest } from '#src/statistics/wilcoxon.ts';
import { signalToNoise } from '#workers/evaluation/metrics/signalToNoise.ts';
import { oracleFile } from './oracleFile.ts';

const DIGITS = 10;
const number = z.number();
const numbers = z.array(number);
const summary = z.object({
  mean: numbers,
  std_sample: numbers,
  P90: numbers,
  P95: numbers,
  PMA: numbers,
  friedman_rank_min_ties: numbers,
});
const printed = { mean: numbers, std: numbers, P90: numbers, P95: numbers, PMA: numbers, friedman_rank: numbers };
const oracle = oracleFile(
  'rank_metrics.json',
  z.object({
    ttests: z.array(
      z.object({
        a: numbers,
        b: numbers,
        paired: z.object({ t: number, p: number, df: number, p_one_sided_b_greater: number }),
        student: z.object({ t: number, p: number }),
        welch: z.object({ t: number, p: number }),
        wilcoxon_exact: z.object({ W: number, p: number }).nullable(),
        mean_a: number,
        std_a_sample: number,
      }),
    ),
    small_accuracy_table: summary.extend({ A: z.array(numbers) }),
    rntk_table2: z.object({
      methods: z.array(z.string()),
      accuracy: z.array(numbers),
      computed: summary,
      table1_printed: z.object(printed),
      comparison: z.record(
        z.string(),
        z.array(z.object({ method: z.string(), agrees_to_printed_digits: z.boolean() })),
      ),
    }),
  }),
);

describe.each(oracle.ttests.map((sample, index) => [index, sample] as const))('samples %i', (_index, sample) => {
  const { a, b } = sample;

  test('paired, two-sided and one-sided', () => {
    const found = pairedTTest(a, b);
    expect(found.df).toBe(sample.paired.df);
    expect(found.t).toBeCloseTo(sample.paired.t, DIGITS);
    expect(found.p).toBeCloseTo(sample.paired.p, DIGITS);
    expect(found.pGreater).toBeCloseTo(sample.paired.p_one_sided_b_greater, DIGITS);
  });

  test.each([
    ['student', studentTTest],
    ['welch', welchTTest],
  ] as const)('%s', (name, run) => {
    const found = run(a, b);
    expect(found.t).toBeCloseTo(sample[name].t, DIGITS);
    expect(found.p).toBeCloseTo(sample[name].p, DIGITS);
  });

  test.skipIf(sample.wilcoxon_exact === null)('Wilcoxon, exact', () => {
    const found = wilcoxonTest(a.map((value, pair) => value - b[pair]!));
    expect(found.exact).toBe(true);
    expect(found.w).toBe(sample.wilcoxon_exact!.W);
    expect(found.p).toBeCloseTo(sample.wilcoxon_exact!.p, DIGITS);
  });

  test('mean and deviation', () => {
    const found = summarizeReplicates(a);
    expect(found.mean).toBeCloseTo(sample.mean_a, DIGITS);
    expect(found.standardDeviation).toBeCloseTo(sample.std_a_sample, DIGITS);
  });
});

/** Names of the measures in the oracle's summaries, and whether they are in percent there. */
const MEASURES = [
  ['mean', 'mean', 1],
  ['standard-deviation', 'std_sample', 1],
  ['p90', 'P90', 100],
  ['p95', 'P95', 100],
  ['pma', 'PMA', 100],
  ['friedman-rank', 'friedman_rank_min_ties', 1],
] as const satisfies readonly (readonly [MeasureName, string, number])[];

describe.each([
  ['a small table with ties', oracle.small_accuracy_table.A, oracle.small_accuracy_table],
  ['RNTK, Table 2', oracle.rntk_table2.accuracy, oracle.rntk_table2.computed],
] as const)('summaries of %s', (_name, table, expected) => {
  test.each(MEASURES)('%s', (measure, theirs, scale) => {
    for (const [classifier, value] of expected[theirs].entries()) {
      expect(scale * accuracyMeasure(measure, table, classifier)).toBeCloseTo(value, DIGITS);
    }
  });
});

test("RNTK's Table 1 as printed, but for the entries that its own Table 2 contradicts", () => {
  const { methods, accuracy, table1_printed, comparison } = oracle.rntk_table2;
  const printedNames = ['mean', 'std', 'P90', 'P95', 'PMA', 'friedman_rank'] as const;
  const differing = methods.flatMap((method, at) =>
    MEASURES.flatMap(([measure, _, scale], i) => {
      const name = printedNames[i]!;
      const ours = scale * accuracyMeasure(measure, accuracy, at);
      return Math.abs(ours - table1_printed[name][at]!) > 0.0051 ? [`${name} ${method}`] : [];
    }),
  );
  const contradicted = Object.entries(comparison).flatMap(([name, rows]) =>
    rows.filter((row) => !row.agrees_to_printed_digits).map(({ method }) => `${name} ${method}`),
  );
  expect(differing.sort()).toEqual(contradicted.sort());
});

test('signal-to-noise ratio of the previous value as a prediction', () => {
  const { krr_sinusoid } = oracleFile(
    'classify.json',
    z.object({
      krr_sinusoid: z.object({
        series: numbers,
        test_start_length: z.array(z.tuple([number, number])),
        previous_value_predictor: z.object({ snr_db: number }),
      }),
    }),
  );
  const { series, test_start_length, previous_value_predictor } = krr_sinusoid;
  const truth = test_start_length.map(([start, length]) => series[start + length]!);
  const previous = test_start_length.map(([start, length]) => series[start + length - 1]!);
  expect(signalToNoise(previous, truth)).toBeCloseTo(previous_value_predictor.snr_db, DIGITS);
});
