import { expect, test } from 'vitest';
import { oracleFile } from './oracleFile.ts';
import { expectedNumbers, METRIC_TOLERANCE, networkOf, overrecOracleSchema, runOverrec } from './overrecOracle.ts';
import { realDataset } from './realDataset.ts';

const oracle = oracleFile('overrec_ml100k.json', overrecOracleSchema);
const main = oracle.protocols.main!;

const found = await realDataset({ name: 'ml-100k', core: 5 });
const there = found !== null;
/** Read by tests that are skipped where it is not there. */
const movies = found!;

test.runIf(there)('the 5-core of MovieLens 100K has the size of the reference', () => {
  expect([movies.userCount, movies.itemCount, movies.items.length]).toEqual([
    oracle.users,
    oracle.items,
    oracle.interactions,
  ]);
});

test.runIf(there).each(main.results.map((r) => [`${r.kernel} ${r.variant} ${r.rule}`, r] as const))(
  'MovieLens 100K: %s',
  async (_name, result) => {
    const { neighbours, cutoffs, expected } = expectedNumbers(result.lowest_index)[0]!;
    const { recorded, metrics } = await runOverrec(movies, result, { ...networkOf(oracle), neighbours, cutoffs });
    expect(recorded.notes.get('matchedPairs')).toBe(main.matched_pairs);
    expect(recorded.notes.get('distinctPatterns')).toBe(main.distinct_keys);
    for (const [name, value] of Object.entries(expected)) {
      expect(Math.abs(metrics[name]! - value), name).toBeLessThanOrEqual(METRIC_TOLERANCE);
    }
  },
);
