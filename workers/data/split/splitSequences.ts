import type { Shares, SplitName } from '#src/catalog/datasetSelection.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { givenSplit } from './givenSplit.ts';
import { leaveOneOut } from './leaveOneOut.ts';
import { globalTime, type OrderedSplit, ratioByTime } from './orderedSplit.ts';
import { randomByUser } from './randomByUser.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';
import { splitByItem } from './splitByItem.ts';

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
