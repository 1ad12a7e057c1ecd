import type { Shares, SplitName } from '#src/catalog/datasetSelection.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { randomGenerator, type RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import { type OrderedSplit, globalTime, ratioByTime } from './orderedSplit.ts';
import { splitByPart } from './splitByPart.ts';
import { leaveOneOut } from './leaveOneOut.ts';
import { randomByUser } from './randomByUser.ts';
import { randomByItem } from './randomByItem.ts';

/**
 * Items drawn into parts by `randomByItem`, and with them the interactions: nothing of a test item trains, so that it is new
 * to every model. The dataset of the split has each user's interactions with training items first, then those with validation
 * and with test items, each in order of time.
 */
function splitByItem(dataset: SequenceDataset, shares: Shares, generator: RandomGenerator): OrderedSplit {
  const { validation, test } = randomByItem(dataset.itemCount, shares, generator);
  const partOf = new Uint8Array(dataset.itemCount);
  for (const item of validation) partOf[item] = 1;
  for (const item of test) partOf[item] = 2;
  return splitByPart(
    dataset,
    Uint8Array.from(dataset.items, (item) => partOf[item]!),
  );
}

/** The split that a dataset came with. Throws BAD_INPUT for a dataset without parts. */
function givenSplit(dataset: SequenceDataset): OrderedSplit {
  if (dataset.parts !== undefined) return splitByPart(dataset, dataset.parts);
  throw badInput(
    `dataset "${dataset.name}" came without a split. Import its parts: warren data import NAME --train FILE --test FILE, or choose another split`,
    'dataset.split',
  );
}

/** A split as the configuration names it. */
export interface SplitChoice {
  name: SplitName;
  /** Null for leave-one-out and given. */
  shares: Shares | null;
  /** Draws the items of random-by-item and the interactions of random-by-user; 0 where it is missing. */
  seed?: number;
}

/** A dataset cut by the split that is chosen. Throws BAD_INPUT where the dataset does not have what the split goes by. */
export function splitSequences(dataset: SequenceDataset, { name, shares, seed = 0 }: SplitChoice): OrderedSplit {
  if (name === 'leave-one-out') return leaveOneOut(dataset);
  if (name === 'given') return givenSplit(dataset);
  invariant(shares !== null, `the split ${name} without shares`);
  switch (name) {
    case 'ratio-by-time':
      return ratioByTime(dataset, shares);
    case 'global-time':
      return globalTime(dataset, shares);
    case 'random-by-item':
      return splitByItem(dataset, shares, randomGenerator(seed, 'items of a split'));
    case 'random-by-user':
      return randomByUser(dataset, shares, randomGenerator(seed, 'interactions of a split'));
    default:
      return assertNever(name);
  }
}
