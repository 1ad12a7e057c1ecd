import type { SplitName } from '#src/catalog/datasetSelection.ts';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { OrderedSplit } from '#workers/data/split/orderedSplit.ts';
import { type Candidates, heldOut } from '../ranking/heldOut.ts';
import type { EvaluationReporter, HeldOutParts } from './protocol.ts';

/** By what the test part of a split is set apart. */
const APART: Readonly<Record<Exclude<SplitName, 'leave-one-out'>, (rest: number) => string>> = {
  'ratio-by-time': (rest) => `after the first ${rest} %`,
  'global-time': (rest) => `after the moment that has ${rest} % of all interactions before it`,
  'random-by-item': (rest) => `outside the ${rest} % of the items that train or validate`,
  'random-by-user': (rest) => `outside the ${rest} % of its interactions that train or validate`,
  given: () => 'in the test part that the dataset came with',
};

/**
 * All items of the validation and of the test part of each user. Throws DATA_ERROR where nobody has anything to be tested on,
 * BAD_INPUT for candidates that such parts do not have; notes how many users and targets there are.
 */
export function orderedParts(
  split: OrderedSplit,
  { excludeSeen, seenItems }: Candidates,
  { name, testShare, reporter }: { name: keyof typeof APART; testShare: number; reporter: EvaluationReporter },
): HeldOutParts {
  const { dataset } = split;
  if (excludeSeen && seenItems === 'training') {
    throw badInput(
      'seenItems is training, which is for the split leave-one-out; expected training-and-validation',
      'parameters.seenItems',
    );
  }
  const test = heldOut(split, 'test', excludeSeen);
  if (test.users.length === 0) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset.name}": none of its ${dataset.userCount} users has an item to be tested on ${APART[name](Math.round(100 * (1 - testShare)))}`,
      { path: 'dataset' },
    );
  }
  reporter.note('evaluatedUsers', test.users.length);
  reporter.note('usersWithoutTest', dataset.userCount - test.users.length);
  reporter.note('testTargets', test.targets.length);
  return { split, validationPart: heldOut(split, 'valid', excludeSeen), testPart: test };
}
