import { expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { MASKED } from '#workers/models/maskedItems.ts';
import { maskedBatches } from '#workers/training/batches/maskedBatches.ts';
import { selectionOf } from '#test/unit/data/dataFiles.ts';

const SPLIT = leaveOneOut(
  await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null }),
);
const OPTIONS = { batchSize: 32, maximumLength: 12, maskRate: 0.3 };

const streams = (seed: number) => ({
  order: randomGenerator(seed, 'order'),
  negatives: randomGenerator(seed, 'masks'),
});

test('an epoch has every user once, cut to the last items, and the targets are what was masked', () => {
  const source = maskedBatches(SPLIT, OPTIONS);
  const seen: string[] = [];
  let [tokens, masked] = [0, 0];
  for (const batch of source.epoch(streams(1))) {
    const { items, layout, rows, targets } = batch;
    expect([...rows]).toEqual([...items.keys()].filter((row) => items[row] === MASKED));
    const whole = items.slice();
    for (const [at, row] of rows.entries()) whole[row] = targets[at]!;
    for (let s = 0; s < layout.sequences; s++) {
      seen.push(whole.subarray(layout.offsets[s]!, layout.offsets[s + 1]!).join(' '));
    }
    expect(source.sizeOf(batch)).toEqual({ positions: rows.length, tokens: layout.tokens });
    tokens += layout.tokens;
    masked += rows.length;
  }
  const users = Array.from({ length: SPLIT.dataset.userCount }, (_, user) => trainingItems(SPLIT, user));
  expect(seen.sort()).toEqual(users.map((items) => items.subarray(-12).join(' ')).sort());
  expect(source.batchesPerEpoch).toBe(Math.ceil(users.length / 32));
  // five standard deviations of a share of that many
  expect(Math.abs(masked / tokens - 0.3)).toBeLessThan(5 * Math.sqrt((0.3 * 0.7) / tokens));
});

test('masks are drawn anew in each epoch, and again the same from the same streams', () => {
  const source = maskedBatches(SPLIT, OPTIONS);
  const once = streams(1);
  const [first, second] = [[...source.epoch(once)], [...source.epoch(once)]];
  expect(second).not.toEqual(first);
  expect([...source.epoch(streams(1))]).toEqual(first);
});

test('a batch in which chance masks nothing has its last item masked', () => {
  const source = maskedBatches(SPLIT, { ...OPTIONS, batchSize: 1, maskRate: 1e-9 });
  for (const { rows, layout } of source.epoch(streams(1))) expect([...rows]).toEqual([layout.tokens - 1]);
});
