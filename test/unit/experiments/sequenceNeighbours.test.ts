import { expect, test } from 'vitest';
import { experimentOf } from '#workers/experiments/registry.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { lastValues, recordingContext } from './recordingContext.ts';

/** User 0 is asked about; users 1 and 2 share its item 1 and are alike but for what they had and when. */
const sequences = [
  [0, 1, 2, 5],
  [1, 3, 6, 7],
  [1, 4, 6, 7],
];

async function metricsOf(dataset: ReturnType<typeof datasetOf>, parameters: Record<string, unknown>) {
  const { recorded, context } = recordingContext<unknown>(dataset, { neighbours: 1, cutoffs: [1], ...parameters });
  await experimentOf('stan')(context);
  return lastValues(recorded);
}

test('STAN without times refuses a recency decay, and says what would be right', async () => {
  await expect(metricsOf(datasetOf(sequences, 8), { recencyDecay: 10 })).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringMatching(/does not say when.*leave it null/),
  });
});

test('STAN with times prefers the neighbour that ended last', async () => {
  // user 0's target is what the neighbour with the later training items has as its own target
  const dataset = datasetOf(
    sequences.map((items, user) => (user === 0 ? [0, 1, 2, 4] : items)),
    8,
  );
  const times = Float64Array.of(1, 50, 90, 100, 1, 2, 3, 4, 60, 70, 80, 90);
  const late = await metricsOf({ ...dataset, times }, { prediction: 'weighted-y', recencyDecay: 10 });
  const ageless = await metricsOf({ ...dataset, times }, { prediction: 'weighted-y' });
  // one user of three is right: the target 4 is user 2's, who ended last; by row number it would be user 1's 3
  expect(late['test/hr@1']).toBeCloseTo(ageless['test/hr@1']! + 1 / 3, 12);
});
