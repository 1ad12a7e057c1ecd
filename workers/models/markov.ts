/**
 * First-order Markov chain: P(i | l) = (count(l, i) + s · share(i)) / (count(l) + s), with count(l, i) how often item i
 * came right after l in the training sequences, count(l) their sum over i, share(i) the popularity of i (its share of all
 * training interactions) and s the smoothing: Dirichlet smoothing towards popularity.
 */
import { type TrainingPart, trainingItems } from '../data/split/trainingPart.ts';
import { fitPopularity } from './popularity.ts';

export interface MarkovModel {
  smoothing: number;
  /** (items + 1) Followers of item l are `followers[offsets[l] .. offsets[l + 1]]`, ordered by item. */
  offsets: Uint32Array;
  followers: Uint32Array;
  /** As `followers`. */
  counts: Float64Array;
  /** (items) count(l) */
  totals: Float64Array;
  /** (items) share(i) */
  shares: Float64Array;
}

export function fitMarkov(split: TrainingPart, smoothing: number): MarkovModel {
  const { itemCount, userCount } = split.dataset;
  const { counts: popularity } = fitPopularity(split);
  const interactions = popularity.reduce((sum, count) => sum + count, 0);
  const pairs = new Float64Array(interactions);
  let length = 0;
  for (let user = 0; user < userCount; user++) {
    const sequence = trainingItems(split, user);
    for (let i = 1; i < sequence.length; i++) pairs[length++] = sequence[i - 1]! * itemCount + sequence[i]!;
  }
  const sorted = pairs.subarray(0, length).sort();
  const offsets = new Uint32Array(itemCount + 1);
  const followers = new Uint32Array(length);
  const counts = new Float64Array(length);
  const totals = new Float64Array(itemCount);
  let distinct = 0;
  for (let i = 0; i < length; i++) {
    const pair = sorted[i]!;
    const last = Math.floor(pair / itemCount);
    if (i === 0 || pair !== sorted[i - 1]) {
      followers[distinct++] = pair - last * itemCount;
      offsets[last + 1]!++;
    }
    counts[distinct - 1]!++;
    totals[last]!++;
  }
  for (let item = 0; item < itemCount; item++) offsets[item + 1]! += offsets[item]!;
  return {
    smoothing,
    offsets,
    followers: followers.slice(0, distinct),
    counts: counts.slice(0, distinct),
    totals,
    shares: popularity.map((count) => count / Math.max(1, interactions)),
  };
}

/**
 * Writes P(i | last) of every item into `scores` (items). After a last item that nothing ever followed, popularity alone
 * decides, whatever the smoothing.
 */
export function markovScores(model: MarkovModel, last: number, scores: Float64Array): void {
  const { offsets, followers, counts, shares, smoothing } = model;
  const total = model.totals[last]!;
  if (total === 0) {
    scores.set(shares);
    return;
  }
  const weight = smoothing / (total + smoothing);
  for (let item = 0; item < scores.length; item++) scores[item] = weight * shares[item]!;
  for (let n = offsets[last]!; n < offsets[last + 1]!; n++) scores[followers[n]!]! += counts[n]! / (total + smoothing);
}
