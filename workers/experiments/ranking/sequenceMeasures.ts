import type { StanParameters } from '#src/catalog/kinds/stan.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import type { AskedUser } from '#workers/evaluation/ranking/scorer.ts';
import type { OverlapMeasure } from '#workers/kernels/neighbours/overlapSearch.ts';

/** How like a user's history is to other users' training parts; its `rowFactor` is asked by user. */
export type MeasureFor = (user: AskedUser) => OverlapMeasure;

/** SkNN's measure: cosine of the sequences as sets of items. */
export const SKNN_MEASURE: OverlapMeasure = { weight: () => 1, norm: 'weights', rowFactor: null };

/**
 * STAN's measure for each user (Garg et al. 2019, Eq. 2 to 4): items weigh exp(−distance from the end / λ_1), rows
 * exp(−time since their last item / λ_2). Throws BAD_INPUT for a λ_2 where the data has no times.
 */
export function stanMeasures(
  split: TrainingPart,
  { positionDecay, recencyDecay, variant }: Pick<StanParameters, 'positionDecay' | 'recencyDecay' | 'variant'>,
): MeasureFor {
  const measure: OverlapMeasure = {
    weight: (distance) => Math.exp(-distance / positionDecay),
    norm: variant === 'author' ? 'weights' : 'length',
    rowFactor: null,
  };
  if (recencyDecay === null) return () => measure;
  const recency = recencyOf(split, recencyDecay);
  return (user) => ({ ...measure, rowFactor: recency(user) });
}

/**
 * The factor exp(−(t − t_row) / λ_2) of Garg et al. Eq. 4, with t the time of the user's last known item and t_row that of the
 * row's last training item. Rows that end later than t count as if they ended then.
 */
function recencyOf({ dataset, trainEnd }: TrainingPart, decay: number): (user: AskedUser) => (other: number) => number {
  const { times } = dataset;
  if (times === undefined) {
    throw new WarrenError(
      'BAD_INPUT',
      `dataset "${dataset.name}" does not say when interactions took place, so recencyDecay has nothing to go by: leave it null or take a dataset with times`,
      { path: 'parameters.recencyDecay' },
    );
  }
  return ({ end }) => {
    const now = times[end - 1]!;
    return (other) => Math.exp(-Math.max(0, now - times[trainEnd[other]! - 1]!) / decay);
  };
}
