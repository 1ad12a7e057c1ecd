import { describe, expect, test } from 'vitest';
import type { OverrecParameters } from '#src/catalog/kinds/overrec.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { oracleFile } from './oracleFile.ts';
import {
  expectedNumbers,
  METRIC_TOLERANCE,
  networkOf,
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

const NETWORK = networkOf(oracle);

describe.runIf(there).each(oracle.subsets.map((subset) => [subset.first_users, subset] as const))(
  'first %i users of Beauty',
  (count, subset) => {
    test.each(subset.results.map((r) => [`${r.kernel} ${r.variant} ${r.rule}`, r] as const))(
      '%s',
      async (_name, result) => {
        const { neighbours, cutoffs, expected } = expectedNumbers(result.lowest_index)[0]!;
        const over = { ...NETWORK, neighbours, cutoffs };
        const { recorded, metrics } = await runOverrec(firstUsers(beauty, count), result, over);
        expect(recorded.notes.get('neighbourRows')).toBe(subset.neighbour_rows);
        expectClose(metrics, expected);
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
      const { neighbours, cutoffs, expected } = expectedNumbers(result.lowest_index)[0]!;
      const { recorded, metrics } = await runOverrec(beauty, result, { ...NETWORK, neighbours, cutoffs });
      expectClose(metrics, expected);
      expect(recorded.notes.get('neighbourRows')).toBe(main.neighbour_rows);
      expect(recorded.notes.get('matchedPairs')).toBe(main.matched_pairs);
      expect(recorded.notes.get('distinctPatterns')).toBe(main.distinct_keys);
      const numbers = neighbours === null ? cutoffs : [neighbours];
      const ties = numbers.map((k) => [`k${k}`, expect.closeTo(result.boundary_tie_fraction[`k${k}`]!, 4)]);
      expect(recorded.notes.get('boundaryTieFraction')).toEqual(Object.fromEntries(ties));
    },
  );

  test('the other numbers of neighbours, and seen items left out', async () => {
    const result = main.results[0]!;
    for (const { neighbours, cutoffs, expected } of expectedNumbers(result.lowest_index).slice(1)) {
      const { metrics } = await runOverrec(beauty, result, { ...NETWORK, neighbours, cutoffs });
      expectClose(metrics, expected);
    }
    const { neighbours, cutoffs, expected } = expectedNumbers(result.lowest_index_seen_items_excluded)[0]!;
    const unseen = await runOverrec(beauty, result, { ...NETWORK, neighbours, cutoffs, excludeSeen: true });
    expectClose(unseen.metrics, expected);
  });
});

/** What the vectors' names of protocols mean. */
const VARIATIONS: Readonly<Record<string, Partial<OverrecParameters>>> = {
  neighbours_include_validation: { neighbourSet: 'training-and-validation-prefixes' },
  validation_target: { evaluate: 'validation' },
  test_input_without_validation_item: { testInput: 'without-validation-item' },
  no_augmentation_last_training_prefix_only: { neighbourSet: 'last-training-prefix' },
};

test.runIf(there).each(Object.entries(oracle.protocols).filter(([name]) => name !== 'main'))(
  'the whole of Beauty, protocol %s',
  async (name, protocol) => {
    const parameters = VARIATIONS[name];
    if (parameters === undefined) throw new Error(`${name}: no parameters are known for this protocol`);
    // a protocol says which rows there are, whatever compares them: two networks that share nothing show it
    const shown = protocol.results.filter(({ kernel, variant, rule }) =>
      ['rntk exact sum', 'nngp author sum'].includes(`${kernel} ${variant} ${rule}`),
    );
    expect(shown).toHaveLength(2);
    for (const result of shown) {
      const prefix = parameters.evaluate === 'validation' ? 'valid' : 'test';
      const { neighbours, cutoffs, expected } = expectedNumbers(result.lowest_index, prefix)[0]!;
      const over = { ...NETWORK, ...parameters, neighbours, cutoffs };
      const { recorded, metrics } = await runOverrec(beauty, result, over);
      expect(recorded.notes.get('neighbourRows')).toBe(protocol.neighbour_rows);
      expectClose(metrics, expected);
    }
  },
);
