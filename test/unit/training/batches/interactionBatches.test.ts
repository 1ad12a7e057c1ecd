import { describe, expect, test } from 'vitest';
import { ratioByTime } from '#workers/data/split/orderedSplit.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { lastItems } from '#workers/models/lastItems.ts';
import { interactionBatches } from '#workers/training/batches/interactionBatches.ts';
import { datasetOf } from '#test/unit/data/dataFiles.ts';

const TRAINING = ratioByTime(
  datasetOf([[4, 2, 7, 1, 9, 3, 8, 0, 5, 6], [5], [1, 0, 3, 2, 8, 7, 11, 10, 9, 6], [6, 2, 6, 4]], 12),
  { train: 0.7, validation: 0.1, test: 0.2 },
);
const streams = () => ({ order: randomGenerator(1, 'order'), negatives: randomGenerator(1, 'negatives') });

describe('batches of moments', () => {
  test.each([[{ recent: 3, targets: 1 }], [{ recent: 2, targets: 2 }], [{ recent: 0, targets: 1 }]])(
    '%o: an epoch has every moment once, with the items around it and items that do not train',
    (shape) => {
      const { recent, targets } = shape;
      const source = interactionBatches(TRAINING, { ...shape, batchSize: 5, negatives: 2 });
      const found: string[] = [];
      for (const batch of source.epoch(streams())) {
        for (const [row, user] of batch.users.entries()) {
          const known = [...batch.recent.subarray(row * recent, (row + 1) * recent)];
          const positives = [...batch.positives.subarray(row * targets, (row + 1) * targets)];
          found.push(JSON.stringify([user, known, positives]));
          const own = trainingItems(TRAINING, user);
          for (const item of batch.negatives.subarray(row * targets * 2, (row + 1) * targets * 2)) {
            expect(own).not.toContain(item);
          }
        }
      }
      const expected: string[] = [];
      for (let user = 0; user < 4; user++) {
        const own = [...trainingItems(TRAINING, user)];
        for (let place = recent > 0 ? 1 : 0; place + targets <= own.length; place++) {
          const padded = [...Array.from({ length: recent }, () => -1), ...own.slice(0, place)];
          expected.push(
            JSON.stringify([user, recent === 0 ? [] : padded.slice(-recent), own.slice(place, place + targets)]),
          );
        }
      }
      expect(found.sort()).toEqual(expected.sort());
      expect(source.batchesPerEpoch).toBe(Math.ceil(expected.length / 5));
    },
  );

  test('the same streams give the same epoch', () => {
    const source = interactionBatches(TRAINING, { recent: 2, targets: 1, batchSize: 4, negatives: 1 });
    expect([...source.epoch(streams())]).toEqual([...source.epoch(streams())]);
  });

  test('says so when nothing can be learnt', () => {
    const training = ratioByTime(datasetOf([[0], [1]]), { train: 0.7, validation: 0.1, test: 0.2 });
    expect(() => interactionBatches(training, { recent: 2, targets: 1, batchSize: 4, negatives: 1 })).toThrow(
      /no user has enough training items/,
    );
  });
});

test('last items stand at the end, -1 in front where there are fewer', () => {
  const to = new Int32Array(3);
  lastItems(Uint32Array.of(5, 6, 7, 8), 2, to);
  expect([...to]).toEqual([-1, 5, 6]);
  lastItems(Uint32Array.of(5, 6, 7, 8), 4, to);
  expect([...to]).toEqual([6, 7, 8]);
});
