import type { TrainingPart } from '../data/split/trainingPart.ts';

/** (items) How often each item occurs in the training interactions. */
export interface PopularityModel {
  counts: Float64Array;
}

export function fitPopularity(split: TrainingPart): PopularityModel {
  const { offsets, items, itemCount, userCount } = split.dataset;
  const counts = new Float64Array(itemCount);
  for (let user = 0; user < userCount; user++) {
    for (let i = offsets[user]!; i < split.trainEnd[user]!; i++) counts[items[i]!]!++;
  }
  return { counts };
}

/** Writes the score of every item into `scores` (items): the same for every user. */
export function popularityScores(model: PopularityModel, scores: Float64Array): void {
  scores.set(model.counts);
}
