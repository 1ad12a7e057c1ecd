import type { Shares } from '#src/catalog/datasetSelection.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { OrderedSplit } from './orderedSplit.ts';
import { randomByItem } from './randomByItem.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';

/**
 * Items drawn into parts by `randomByItem`, and with them the interactions: nothing of a test item trains, so that it is new
 * to every model. The dataset of the split has each user's interactions with training items first, then those with validation
 * and with test items, each in order of time.
 */
export function splitByItem(dataset: SequenceDataset, shares: Shares, generator: RandomGenerator): OrderedSplit {
  const { offsets, userCount, itemCount, times } = dataset;
  const { validation, test } = randomByItem(itemCount, shares, generator);
  const partOf = new Uint8Array(itemCount);
  for (const item of validation) partOf[item] = 1;
  for (const item of test) partOf[item] = 2;
  const items = new Uint32Array(dataset.items.length);
  const movedTimes = times === undefined ? undefined : new Float64Array(times.length);
  const ends = [0, 1].map(() => new Uint32Array(userCount));
  for (let user = 0; user < userCount; user++) {
    let to = offsets[user]!;
    for (const part of [0, 1, 2]) {
      for (let from = offsets[user]!; from < offsets[user + 1]!; from++) {
        if (partOf[dataset.items[from]!] !== part) continue;
        items[to] = dataset.items[from]!;
        if (movedTimes !== undefined) movedTimes[to] = times![from]!;
        to++;
      }
      const end = ends[part];
      if (end !== undefined) end[user] = to;
    }
  }
  const moved = { ...dataset, items, ...(movedTimes !== undefined && { times: movedTimes }) };
  return { dataset: moved, trainEnd: ends[0]!, validationEnd: ends[1]! };
}
