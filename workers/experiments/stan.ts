import type { StanParameters } from '../../src/catalog/kinds/stan.ts';
import { WarrenError } from '../../src/contracts/errors.ts';
import type { SequenceDataset } from '../data/sequenceDataset.ts';
import type { OverlapMeasure } from '../kernels/overlapSearch.ts';
import type { Experiment } from './experiment.ts';
import { rankByNeighbours } from './sequenceNeighbours.ts';

/**
 * STAN (Garg et al. 2019): the items of the user's history weigh exp(−distance from its end / λ_1), a neighbour
 * exp(−time since its last item / λ_2), and a neighbour's items fall with λ_3 around the last common one.
 */
export const stan: Experiment<StanParameters> = async ({ parameters, dataset, reporter, cancellation }) => {
  const { positionDecay, recencyDecay, itemDecay, variant } = parameters;
  const measure: OverlapMeasure = {
    weight: (distance) => Math.exp(-distance / positionDecay),
    norm: variant === 'author' ? 'weights' : 'length',
    rowFactor: null,
  };
  const recency = recencyDecay === null ? null : recencyOf(dataset, recencyDecay);
  rankByNeighbours({
    parameters,
    itemDecay,
    measureFor: recency === null ? () => measure : (user) => ({ ...measure, rowFactor: recency(user) }),
    dataset,
    reporter,
    cancellation,
  });
};

/**
 * The factor exp(−(t − t_row) / λ_2) of Garg et al. Eq. 4, with t the time of the user's last known item (the one before the
 * target) and t_row that of the row's last training item. Rows that end later than t count as if they ended then.
 */
function recencyOf(dataset: SequenceDataset, decay: number): (user: number) => (row: number) => number {
  const { times, offsets } = dataset;
  if (times === undefined) {
    throw new WarrenError(
      'BAD_INPUT',
      `dataset "${dataset.name}" does not say when interactions took place, so recencyDecay has nothing to go by: leave it null or take a dataset with times`,
      { path: 'parameters.recencyDecay' },
    );
  }
  const lastTraining = (row: number): number => {
    const length = offsets[row + 1]! - offsets[row]!;
    return times[offsets[row + 1]! - (length < 3 ? 1 : 3)]!;
  };
  return (user) => {
    const now = times[offsets[user + 1]! - 2]!;
    return (row) => Math.exp(-Math.max(0, now - lastTraining(row)) / decay);
  };
}
