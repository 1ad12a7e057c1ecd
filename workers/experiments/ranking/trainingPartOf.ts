import { leaveOneOut } from '../../data/leaveOneOut.ts';
import { globalTime, ratioByTime } from '../../data/orderedSplit.ts';
import type { TrainingPart } from '../../data/trainingPart.ts';
import { WarrenError } from '../../../src/contracts/errors.ts';
import type { ExperimentContext } from '../experiment.ts';

/** What models learn from in the run's split of its sequences. Throws BAD_INPUT for splits that do not cut sequences. */
export function trainingPartOf({
  dataset,
  split,
}: Pick<ExperimentContext<unknown>, 'dataset' | 'split'>): TrainingPart {
  const { name, shares } = split;
  if (name === 'leave-one-out') return leaveOneOut(dataset);
  if (shares !== null && name === 'ratio-by-time') return ratioByTime(dataset, shares);
  if (shares !== null && name === 'global-time') return globalTime(dataset, shares);
  throw new WarrenError('BAD_INPUT', `the split is ${name}; expected leave-one-out, ratio-by-time or global-time`, {
    path: 'dataset.split',
  });
}
