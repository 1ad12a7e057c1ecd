import { expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { type SequenceBatchOptions, sequenceBatches } from '#workers/training/batches/sequenceBatches.ts';
import { datasetOf, selectionOf } from '#test/unit/data/dataFiles.ts';

const SPLIT = leaveOneOut(
  await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null }),
);
const OPTIONS: SequenceBatchOptions = { batchSize: 32, maximumLength: 12, samples: 'positions', negatives: 2 };

function streams(seed: number) {
  return { order: randomGenerator(seed, 'order'), negatives: randomGenerator(seed, 'negatives') };
}

/** Pairs of input and target of an epoch, as text, sorted; `input` holds the last items before the target. */
function pairsOf(options: SequenceBatchOptions, seed = 1): string[] {
  const pairs: string[] = [];
  for (const { items, layout, rows, targets } of sequenceBatches(SPLIT, options).epoch(streams(seed))) {
    let position = 0;
    for (let s = 0; s < layout.sequences; s++) {
      const [from, to] = [layout.offsets[s]!, layout.offsets[s + 1]!];
      for (let row = rows === null ? from : to - 1; row < to; row++) {
        pairs.push(`${items.subarray(from, row + 1).join(' ')} > ${targets[position++]}`);
      }
    }
    expect(position).toBe(targets.length);
  }
  return pairs.sort();
}

function trainingSequences(): number[][] {
  return Array.from({ length: SPLIT.dataset.userCount }, (_, user) => [...trainingItems(SPLIT, user)]);
}

test('an epoch of positions has every user once, cut to the last items, each predicting what came next', () => {
  const expected = trainingSequences().flatMap((items) => {
    const from = Math.max(0, items.length - 1 - OPTIONS.maximumLength);
    return items
      .slice(from, -1)
      .map((_, at) => `${items.slice(from, from + at + 1).join(' ')} > ${items[from + at + 1]}`);
  });
  expect(pairsOf(OPTIONS)).toEqual(expected.sort());
});

test('an epoch of prefixes has every prefix once, whatever its place, and predicts after its last item', () => {
  const expected = trainingSequences().flatMap((items) =>
    items.slice(1).map((target, at) => `${items.slice(Math.max(0, at + 1 - 12), at + 1).join(' ')} > ${target}`),
  );
  expect(pairsOf({ ...OPTIONS, samples: 'prefixes' })).toEqual(expected.sort());
});

test('negatives are never items that their user trains on, and every other item comes', () => {
  const trained = new Map(
    trainingSequences().map((items) => [items.slice(0, -1).slice(-12).join(' '), new Set(items)]),
  );
  const seen = new Set<number>();
  const source = sequenceBatches(SPLIT, OPTIONS);
  for (let epoch = 0; epoch < 3; epoch++) {
    for (const { items, layout, negatives } of source.epoch(streams(epoch))) {
      for (let s = 0; s < layout.sequences; s++) {
        const [from, to] = [layout.offsets[s]!, layout.offsets[s + 1]!];
        const own = trained.get(items.subarray(from, to).join(' '))!;
        for (const item of negatives.subarray(2 * from, 2 * to)) {
          expect(own.has(item)).toBe(false);
          seen.add(item);
        }
      }
    }
  }
  expect(seen.size).toBe(60);
});

test('the streams decide order and negatives, and their states continue them', () => {
  const source = sequenceBatches(SPLIT, OPTIONS);
  const epochs = (count: number, from = streams(5)) =>
    Array.from({ length: count }, () => [...source.epoch(from)].map(({ items, negatives }) => [items, negatives]));
  const [first, second] = epochs(2);
  expect(epochs(1)).toEqual([first]);
  expect(second).not.toEqual(first);
  const after = streams(5);
  epochs(1, after);
  expect(epochs(1, after)).toEqual([second]);
  expect([...source.epoch(streams(5))]).toHaveLength(source.batchesPerEpoch);
});

test('users who train on every item are left out where negatives are drawn', () => {
  const split = leaveOneOut(
    datasetOf([
      [0, 1, 2, 0, 1],
      [0, 1, 0, 2],
    ]),
  );
  const users = (negatives: number): number => {
    const [batch] = sequenceBatches(split, { ...OPTIONS, negatives }).epoch(streams(1));
    return batch!.layout.sequences;
  };
  expect([users(1), users(0)]).toEqual([1, 2]);
});
