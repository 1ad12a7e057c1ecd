import { expect, test } from 'vitest';
import type { Shares } from '#src/catalog/datasetSelection.ts';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { globalTime, type OrderedSplit, ratioByTime } from '#workers/data/split/orderedSplit.ts';
import { randomByItem } from '#workers/data/split/randomByItem.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { stratifiedFolds } from '#workers/data/split/stratifiedFolds.ts';
import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { datasetOf } from '../unit/data/dataFiles.ts';

const SEED = 20_240_312;
const ROUNDS = 200;

/** Users without a repeated item, so that a test item in training would be a leak; few moments, so that many tie. */
function randomDataset(generator: RandomGenerator): SequenceDataset & { times: Float64Array } {
  const itemCount = 30;
  const sequences = Array.from({ length: 1 + generator.nextInt(15) }, () => {
    const items = Array.from({ length: itemCount }, (_, item) => item);
    generator.shuffle(items);
    return items.slice(0, 1 + generator.nextInt(25));
  });
  const times = sequences.flatMap(({ length }) =>
    Array.from({ length }, () => generator.nextInt(40)).sort((a, b) => a - b),
  );
  return { ...datasetOf(sequences, itemCount), times: Float64Array.from(times) };
}

function randomShares(generator: RandomGenerator): Shares {
  const train = 0.1 + 0.7 * generator.nextFloat();
  const validation = (1 - train) * 0.9 * generator.nextFloat();
  return { train, validation, test: 1 - train - validation };
}

function partsOf({ dataset, trainEnd, validationEnd }: OrderedSplit, user: number): number[][] {
  const bounds = [dataset.offsets[user]!, trainEnd[user]!, validationEnd[user]!, dataset.offsets[user + 1]!];
  return [0, 1, 2].map((part) => [...dataset.items.subarray(bounds[part]!, bounds[part + 1]!)]);
}

function eachRound(purpose: string, work: (generator: RandomGenerator, where: string) => void): void {
  const generator = randomGenerator(SEED, purpose);
  for (let round = 0; round < ROUNDS; round++) work(generator, `seed ${SEED}, round ${round}`);
}

test('ordered splits are complete, keep the order, and let no test item of a user into its training', () => {
  eachRound('ordered', (generator, where) => {
    const dataset = randomDataset(generator);
    const shares = randomShares(generator);
    for (const split of [ratioByTime(dataset, shares), globalTime(dataset, shares)]) {
      for (let user = 0; user < dataset.userCount; user++) {
        const [train, validation, tested] = partsOf(split, user) as [number[], number[], number[]];
        const all = [...dataset.items.subarray(dataset.offsets[user]!, dataset.offsets[user + 1]!)];
        expect([...train, ...validation, ...tested], where).toEqual(all);
        expect(new Set([...train, ...validation, ...tested]).size, where).toBe(all.length);
      }
    }
  });
});

test('one moment: everything that trains is before everything that validates, and that before everything tested', () => {
  eachRound('moment', (generator, where) => {
    const dataset = randomDataset(generator);
    const { trainEnd, validationEnd } = globalTime(dataset, randomShares(generator));
    const times: [number[], number[], number[]] = [[], [], []];
    for (let user = 0; user < dataset.userCount; user++) {
      for (let i = dataset.offsets[user]!; i < dataset.offsets[user + 1]!; i++) {
        times[i < trainEnd[user]! ? 0 : i < validationEnd[user]! ? 1 : 2].push(dataset.times[i]!);
      }
    }
    const [train, validation, tested] = times;
    expect(Math.max(-1, ...train), where).toBeLessThan(Math.min(99, ...validation, ...tested));
    expect(Math.max(-1, ...validation), where).toBeLessThan(Math.min(99, ...tested));
    expect(tested.length, where).toBeGreaterThan(0);
  });
});

test('leave-one-out: neither held item is at a training place', () => {
  eachRound('leave one out', (generator, where) => {
    const dataset = randomDataset(generator);
    const split = leaveOneOut(dataset);
    for (const user of split.evaluatedUsers) {
      const train = trainingItems(split, user);
      expect(train.includes(split.test[user]!), where).toBe(false);
      expect(train.includes(split.validation[user]!), where).toBe(false);
    }
  });
});

test('item splits and folds are disjoint and complete, and of the sizes asked for', () => {
  eachRound('draws', (generator, where) => {
    const count = 2 + generator.nextInt(60);
    const shares = randomShares(generator);
    const { train, validation, test: tested } = randomByItem(count, shares, generator);
    const every = [...train, ...validation, ...tested].sort((a, b) => a - b);
    expect(every, where).toEqual(Array.from({ length: count }, (_, item) => item));
    expect(Math.abs(train.length - shares.train * count), where).toBeLessThanOrEqual(0.5);

    const labels = Array.from({ length: count }, () => generator.nextInt(4));
    const folds = 2 + generator.nextInt(Math.min(9, count - 1));
    const foldOf = stratifiedFolds(labels, folds, generator);
    const sizes = Array.from({ length: folds }, (_, fold) => foldOf.filter((own) => own === fold).length);
    expect(Math.max(...sizes) - Math.min(...sizes), where).toBeLessThanOrEqual(1);
    for (const label of new Set(labels)) {
      const own = sizes.map((_, fold) => labels.filter((l, i) => l === label && foldOf[i] === fold).length);
      expect(Math.max(...own) - Math.min(...own), where).toBeLessThanOrEqual(1);
    }
  });
});
