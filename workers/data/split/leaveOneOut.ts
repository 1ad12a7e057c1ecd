import type { OrderedSplit } from './orderedSplit.ts';
import type { SequenceDataset } from '../prepare/sequenceDataset.ts';

/** The leave-one-out split of a dataset, as places in it: nothing is copied. */
export interface LeaveOneOut extends OrderedSplit {
  /** (users) The last item but one, or -1 for users that are not evaluated. */
  validation: Int32Array;
  /** (users) The last item, or -1 for users that are not evaluated. */
  test: Int32Array;
  /** Users with at least three interactions, in order: those that are evaluated. */
  evaluatedUsers: Uint32Array;
}

/** Interactions that a user needs to be evaluated: one to train on, one to validate, one to test. */
const SHORTEST_EVALUATED = 3;

/**
 * Splits x_1 … x_n of every user: x_n for testing, x_{n-1} for validation, the others for training. Users with fewer than
 * three interactions are not evaluated: all that they have is training data.
 */
export function leaveOneOut(dataset: SequenceDataset): LeaveOneOut {
  const { offsets, items, userCount } = dataset;
  const trainEnd = new Uint32Array(userCount);
  const validationEnd = new Uint32Array(userCount);
  const validation = new Int32Array(userCount).fill(-1);
  const test = new Int32Array(userCount).fill(-1);
  const evaluated = new Uint32Array(userCount);
  let evaluatedCount = 0;
  for (let user = 0; user < userCount; user++) {
    const end = offsets[user + 1]!;
    trainEnd[user] = end;
    validationEnd[user] = end;
    if (end - offsets[user]! < SHORTEST_EVALUATED) continue;
    trainEnd[user] = end - 2;
    validationEnd[user] = end - 1;
    validation[user] = items[end - 2]!;
    test[user] = items[end - 1]!;
    evaluated[evaluatedCount++] = user;
  }
  return { dataset, trainEnd, validationEnd, validation, test, evaluatedUsers: evaluated.slice(0, evaluatedCount) };
}

/** What is known of a user when its test item is asked for: x_1 … x_{n-1}, the validation item last. A view. */
export function testHistory(split: LeaveOneOut, user: number): Uint32Array {
  return split.dataset.items.subarray(split.dataset.offsets[user]!, split.dataset.offsets[user + 1]! - 1);
}
