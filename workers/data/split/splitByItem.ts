import type { Shares } from '#src/catalog/datasetSelection.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { OrderedSplit } from './orderedSplit.ts';
import { randomByItem } from './randomByItem.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import { splitByPart } from './splitByPart.ts';

/**
 * Items drawn into parts by `randomByItem`, and with them the interactions: nothing of a test item trains, so that it is new
 * to every model. The dataset of the split has each user's interactions with training items first, then those with validation
 * and with test items, each in order of time.
 */
export function splitByItem(dataset: SequenceDataset, shares: Shares, generator: RandomGenerator): OrderedSplit {
  const { validation, test } = randomByItem(dataset.itemCount, shares, generator);
  const partOf = new Uint8Array(dataset.itemCount);
  for (const item of validation) partOf[item] = 1;
  for (const item of test) partOf[item] = 2;
  return splitByPart(
    dataset,
    Uint8Array.from(dataset.items, (item) => partOf[item]!),
  );
}
