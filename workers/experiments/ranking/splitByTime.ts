import { badInput, WarrenError } from '../../../src/contracts/errors.ts';
import { type OrderedSplit, ratioByTime } from '../../data/orderedSplit.ts';
import { type HeldOut, heldOut } from '../../evaluation/heldOut.ts';
import type { ExperimentContext } from '../experiment.ts';
import type { Candidates } from './leaveOneOutRanking.ts';

/** A split in order of time, and what is asked for in its two held-out parts. */
export interface EvaluatedSplit {
  split: OrderedSplit;
  validation: HeldOut;
  test: HeldOut;
}

/**
 * The split ratio-by-time of the run's dataset, noted with the results. Throws DATA_ERROR where nobody has anything to be
 * tested on, BAD_INPUT for another split.
 */
export function splitByTime(
  context: Pick<ExperimentContext<unknown>, 'dataset' | 'split' | 'reporter'>,
  { excludeSeen, seenItems }: Pick<Candidates, 'excludeSeen' | 'seenItems'>,
): EvaluatedSplit {
  const { dataset, reporter } = context;
  const { name, shares } = context.split;
  if (name !== 'ratio-by-time' || shares === null) {
    throw new WarrenError('BAD_INPUT', `the split is ${name}; expected ratio-by-time`, { path: 'dataset.split' });
  }
  if (excludeSeen && seenItems === 'training') {
    throw badInput(
      'seenItems is training, which is for the split leave-one-out; expected training-and-validation',
      'parameters.seenItems',
    );
  }
  const split = ratioByTime(dataset, shares);
  const test = heldOut(split, 'test', excludeSeen);
  if (test.users.length === 0) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset.name}": none of its ${dataset.userCount} users has an item to be tested on after the first ${Math.round(100 * (1 - shares.test))} %`,
      { path: 'dataset' },
    );
  }
  reporter.note('evaluatedUsers', test.users.length);
  reporter.note('testTargets', test.targets.length);
  return { split, validation: heldOut(split, 'valid', excludeSeen), test };
}
