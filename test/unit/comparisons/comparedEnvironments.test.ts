import { expect, it } from 'vitest';
import type { Comparison } from '#src/comparisons/compareRuns.ts';
import { environmentDifferences, whyNotComparable } from '#src/comparisons/comparedEnvironments.ts';

const runs = [{ number: 4 }, { number: 7 }] as Comparison['runs'];
const field = (path: string, values: unknown[]) => ({ path, values, differs: true });

it('tells facts of code and environment that differ, and leaves times and memory out', () => {
  const differences = environmentDifferences([
    { commit: 'a', versions: { node: '20' }, timings: { train: 1 }, peakRssMb: 5 },
    { commit: 'b', versions: { node: '20' }, timings: { train: 2 }, peakRssMb: 6, device: 'GPU' },
  ]);
  expect(differences).toEqual([field('commit', ['a', 'b']), field('device', [null, 'GPU'])]);
});

it('says how sums of products were rounded where that differs, and that twins then differ in their last bits', () => {
  const twins = [4, 7].map((number) => ({ number, configurationHash: 'c', seed: 1 })) as Comparison['runs'];
  const environments = [{}, { arithmetic: 'fused' }];
  expect(environmentDifferences(environments)).toEqual([field('arithmetic', ['plain', 'fused'])]);
  expect(environmentDifferences([{}, { arithmetic: 'plain' }])).toEqual([]);
  expect(whyNotComparable({ runs: twins, fields: [] }, environments)).toEqual([
    'sums of products were rounded differently, so that equal runs differ in their last bits: plain (#4), fused (#7)',
  ]);
  const others = twins.map((run, seed) => ({ ...run, seed }));
  expect(whyNotComparable({ runs: others, fields: [] }, environments)).toEqual([]);
});

it('says why runs of other data, splits or deciding ties do not compare', () => {
  const fields = [field('dataset.split', ['leave-one-out', 'ratio']), field('dataset.trainShare', [null, 0.8])];
  const environments = [{ fingerprint: 'aaaa' }, { fingerprint: 'bbbb', notes: { tieShare: { '@10': 0.25 } } }];
  expect(whyNotComparable({ runs, fields }, environments)).toEqual([
    'the content of the data differs by fingerprint: aaaa (#4), bbbb (#7)',
    'the splits differ: leave-one-out (#4), ratio trainShare 0.8 (#7)',
    'in #7 a tie of scores decides on the hit of 25.0 % of the users @10',
  ]);
  const same = [{ fingerprint: 'aaaa' }, { fingerprint: 'aaaa', notes: { tieShare: { '@10': 0.001 } } }];
  expect(whyNotComparable({ runs, fields: [field('parameters.dimension', [1, 2])] }, same)).toEqual([]);
});
