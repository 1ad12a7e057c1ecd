import { WarrenError } from '#src/base/contracts/errors.ts';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { type Candidates, heldOutItem } from '../ranking/heldOut.ts';
import type { EvaluationReporter, HeldOutParts } from './protocol.ts';

/**
 * The last item of each user for testing, the one before it for validation. Throws DATA_ERROR where no user can be evaluated;
 * notes how many can.
 */
export function leaveOneOutParts(
  dataset: SequenceDataset,
  candidates: Candidates,
  reporter: Pick<EvaluationReporter, 'note' | 'log'>,
): HeldOutParts {
  const split = leaveOneOut(dataset);
  const evaluated = split.evaluatedUsers.length;
  if (evaluated === 0) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset.name}": none of its ${dataset.userCount} users has three interactions, so leave-one-out can evaluate nobody`,
      { path: 'dataset' },
    );
  }
  reporter.note('evaluatedUsers', evaluated);
  if (evaluated < dataset.userCount) {
    reporter.log('warn', `${dataset.userCount - evaluated} users with fewer than 3 interactions are not evaluated`);
  }
  const { excludeSeen } = candidates;
  return {
    split,
    validationPart: heldOutItem(split, 'valid', { excludeSeen }),
    testPart: heldOutItem(split, 'test', candidates),
  };
}
