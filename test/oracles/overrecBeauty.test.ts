import { describe, expect, test } from 'vitest';
import type { OverrecParameters } from '../../src/catalog/kinds/overrec.ts';
import type { SequenceDataset } from '../../workers/data/sequenceDataset.ts';
import { oracleFile } from './oracleFile.ts';
import {
  expectedMetrics,
  METRIC_TOLERANCE,
  overrecOracleSchema,
  overrecSubsetsSchema,
  runOverrec,
} from './overrecOracle.ts';
import { realDataset } from './realDataset.ts';

const oracle = oracleFile('overrec_beauty.json', overrecOracleSchema.extend(overrecSubsetsSchema.shape));

const found = await realDataset({ name: 'amazon-beauty' });
const there = found !== null;
/** Read by tests that are skipped where it is not there. */
const beauty = found!;

function expectClose(found: Record<string, number>, expected: Record<string, number>): void {
  const accuracy = Object.keys(found).filter((name) => /^([a-z]+\/)?(mrr|ndcg|hr)@\d+$/.test(name));
  expect(accuracy.sort()).toEqual(Object.keys(expected).sort());
  for (const [name, value] of Object.entries(expected)) {
    expect(Math.abs(found[name]! - value), `${name}: ${found[name]}, expected ${value}`).toBeLessThanOrEqual(
      METRIC_TOLERANCE,
    );
  }
}

function firstUsers(dataset: SequenceDataset, count: number): SequenceDataset {
  const offsets = dataset.offsets.slice(0, count + 1);
  return { ...dataset, offsets, items: dataset.items.slice(0, offsets[count]!), userCount: count };
}

describe.runIf(there).each(oracle.subsets.map((subset) => [subset.first_users, subset] as const))(
  'first %i users of Beauty',
  (count, subset) => {
    test.each(subset.results.map((r) => [`${r.kernel} ${r.variant} ${r.rule}`, r] as const))(
      '%s',
      async (_name, result) => {
        const { recorded, metrics } = await runOverrec(firstUsers(beauty, count), result);
        expect(recorded.notes.get('neighbourRows')).toBe(subset.neighbour_rows);
        expectClose(metrics, expectedMetrics(result.lowest_index, null));
      },
    );
  },
);

describe.runIf(there)('the whole of Beauty, protocol main', () => {
  const main = oracle.protocols.main!;

  test.each(main.results.map((r) => [`${r.kernel} ${r.variant} ${r.rule}`, r] as const))(
    '%s',
    async (_name, result) => {
      expect(beauty.userCount).toBe(oracle.users);
      expect(beauty.itemCount).toBe(oracle.items);
      const { recorded, metrics } = await runOverrec(beauty, result);
      expectClose(metrics, expectedMetrics(result.lowest_index, null));
      expect(recorded.notes.get('neighbourRows')).toBe(main.neighbour_rows);
      expect(recorded.notes.get('matchedPairs')).toBe(main.matched_pairs);
      expect(recorded.notes.get('distinctPatterns')).toBe(main.distinct_keys);
      const { k5, k10 } = result.boundary_tie_fraction;
      const ties = recorded.notes.get('boundaryTieFraction');
      expect(ties).toEqual({ k5: expect.closeTo(k5!, 4), k10: expect.closeTo(k10!, 4) });
    },
  );

  test('twenty neighbours, and seen items left out', async () => {
    const result = main.results[0]!;
    const twenty = await runOverrec(beauty, result, { neighbours: 20 });
    expectClose(twenty.metrics, expectedMetrics(result.lowest_index, 20));
    const unseen = await runOverrec(beauty, result, { excludeSeen: true });
    expectClose(unseen.metrics, expectedMetrics(result.lowest_index_seen_items_excluded, null));
  });
});

const VARIATIONS: [string, Partial<OverrecParameters>][] = [
  ['neighbours_include_validation', { neighbourSet: 'training-and-validation-prefixes' }],
  ['validation_target', { evaluate: 'validation' }],
  ['test_input_without_validation_item', { testInput: 'without-validation-item' }],
  ['no_augmentation_last_training_prefix_only', { neighbourSet: 'last-training-prefix' }],
];

test.runIf(there).each(VARIATIONS)('the whole of Beauty, protocol %s', async (name, parameters) => {
  const protocol = oracle.protocols[name]!;
  for (const result of protocol.results.filter((r) => r.rule === 'sum')) {
    const { recorded, metrics } = await runOverrec(beauty, result, parameters);
    expect(recorded.notes.get('neighbourRows')).toBe(protocol.neighbour_rows);
    expectClose(
      metrics,
      expectedMetrics(result.lowest_index, null, parameters.evaluate === 'validation' ? 'valid' : 'test'),
    );
  }
});
