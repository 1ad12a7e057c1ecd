import { describe, expect, test } from 'vitest';
import { overrecKind, overrecParameters } from '#src/catalog/kinds/overrec.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { overrec } from '#workers/experiments/overrec.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { randomSequences } from '#test/properties/randomSequences.ts';
import { cancellationWhen, lastValues, recordingContext } from './recordingContext.ts';
import { slowness } from '#test/integration/support/slowness.ts';

function datasetOf(sequences: number[][], itemCount: number): SequenceDataset {
  const offsets = [0];
  for (const sequence of sequences) offsets.push(offsets.at(-1)! + sequence.length);
  return {
    name: 'made',
    fingerprint: '',
    offsets: Uint32Array.from(offsets),
    items: Uint32Array.from(sequences.flat()),
    userCount: sequences.length,
    itemCount,
    userIds: sequences.map((_, user) => `u${user}`),
    itemIds: Array.from({ length: itemCount }, (_, item) => `i${item}`),
  };
}

describe('overrec', () => {
  test('recommends what followed the most similar history', async () => {
    // Users 1 and 2 end their training with 1 2 3 -> 4, so user 0, who has 1 2 3, is expected to go on with 4.
    const dataset = datasetOf(
      [
        [1, 2, 3, 4],
        [1, 2, 3, 4, 0, 0],
        [5, 1, 2, 3, 4, 0, 0],
      ],
      7,
    );
    const { recorded, context } = recordingContext(dataset, overrecParameters.parse({ cutoffs: [1, 5] }));
    await overrec(context);
    const metrics = lastValues(recorded);
    expect(Object.keys(metrics).slice(0, 6)).toEqual([
      'test/mrr@1',
      'test/ndcg@1',
      'test/hr@1',
      'test/mrr@5',
      'test/ndcg@5',
      'test/hr@5',
    ]);
    expect(metrics['test/hr@1']).toBeGreaterThanOrEqual(1 / 3);
    expect(recorded.notes.get('neighbourRows')).toBe(1 + 3 + 4);
    expect(recorded.notes.get('boundaryTieFraction')).toHaveProperty('k5');
    expect([...recorded.timings.keys()]).toEqual(['compute', 'evaluate']);
    expect(recorded.progress.at(-1)).toBe(1);
  });

  test('what validation predicts is reported as valid/…', async () => {
    const dataset = datasetOf(
      [
        [1, 2, 3, 4],
        [1, 2, 3, 4, 0, 0],
      ],
      7,
    );
    const { recorded, context } = recordingContext(dataset, overrecParameters.parse({ evaluate: 'validation' }));
    await overrec(context);
    expect(recorded.metrics.every(({ name, step }) => name.startsWith('valid/') && step === 0)).toBe(true);
  });

  test('data without any neighbour is refused with a reason', async () => {
    const { context } = recordingContext(datasetOf([[1, 2, 0]], 3), overrecParameters.parse({}));
    await expect(overrec(context)).rejects.toThrow(/no neighbours/);
  });

  test.each([1, 2])('a cancelled run ends at once, %i threads', async (threads) => {
    const made = randomSequences(randomGenerator(5, 'cancel'), { users: 3000, items: 20, longest: 60 });
    const lists = Array.from({ length: 3000 }, (_, user) => [
      ...made.items.subarray(made.offsets[user], made.offsets[user + 1]),
    ]);
    const started = performance.now();
    const { context } = recordingContext(datasetOf(lists, 20), overrecParameters.parse({}), {
      threads,
      cancellation: cancellationWhen(() => performance.now() - started > 100),
    });
    await expect(overrec(context)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(performance.now() - started).toBeLessThan(2000 * slowness());
  });
});

describe('the kind overrec', () => {
  test('every preset has parameters that are right', () => {
    for (const preset of overrecKind.presets) expect(overrecParameters.safeParse(preset.parameters).success).toBe(true);
  });

  test('parameters that contradict each other are refused where they stand', () => {
    const paths = (given: Record<string, unknown>) =>
      overrecParameters.safeParse(given).error?.issues.map(({ path }) => path.join('.'));
    expect(paths({ variant: 'author', layers: 2, sigmaH: 1 })).toEqual(['layers', 'sigmaH']);
    expect(paths({ evaluate: 'validation', neighbourSet: 'training-and-validation-prefixes' })).toEqual([
      'neighbourSet',
    ]);
    expect(paths({ sigmaw: 1 })).toHaveLength(1);
  });
});
