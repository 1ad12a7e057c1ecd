/**
 * User-based nearest neighbours (B. Sarwar et al., "Analysis of recommendation algorithms for e-commerce", EC 2000; with
 * shrinkage as M. Ferrari Dacrema et al., RecSys 2019): the score of an item is the sum of the similarities of the k users
 * most similar to a history who have the item in training.
 */
import type { TrainingPart } from '../data/split/trainingPart.ts';
import { type Incidence, incidence } from './incidence.ts';
import { largestEntries } from './largestEntries.ts';
import { SHRUNK_SIMILARITIES, type ShrunkSimilarity } from './shrunkSimilarity.ts';

export interface UserKnnModel {
  met: Incidence;
  options: UserKnnOptions;
  /** (users) Common items with the history at hand; 0 between two calls. */
  common: Float64Array;
}

export interface UserKnnOptions {
  /** Neighbours that vote, at least 1. */
  neighbours: number;
  /** At least 0, in items. */
  shrinkage: number;
  similarity: ShrunkSimilarity;
}

export function fitUserKnn(training: TrainingPart, options: UserKnnOptions): UserKnnModel {
  return { met: incidence(training), options, common: new Float64Array(training.dataset.userCount) };
}

/**
 * Writes the score of every item for user `number` with this history into `scores` (items). The user's own training items are
 * no neighbour; of users equally similar the lower numbers vote.
 */
export function userKnnScores(
  { met, options, common }: UserKnnModel,
  { number, history }: { number: number; history: Uint32Array },
  scores: Float64Array,
): void {
  const { userOffsets, userItems, itemOffsets, itemUsers } = met;
  const { neighbours, shrinkage, similarity } = options;
  const own = new Set(history);
  const touched: number[] = [];
  for (const item of own) {
    for (let at = itemOffsets[item]!; at < itemOffsets[item + 1]!; at++) {
      const user = itemUsers[at]!;
      if (user === number) continue;
      if (common[user]!++ === 0) touched.push(user);
    }
  }
  for (const user of touched) {
    const size = userOffsets[user + 1]! - userOffsets[user]!;
    common[user] = SHRUNK_SIMILARITIES[similarity]({ common: common[user]!, a: own.size, b: size, shrinkage });
  }
  const nearest = Uint32Array.from(touched);
  const count = largestEntries(nearest, common, { count: nearest.length, k: neighbours });
  scores.fill(0);
  for (const user of nearest.subarray(0, count)) {
    for (let at = userOffsets[user]!; at < userOffsets[user + 1]!; at++) scores[userItems[at]!]! += common[user]!;
  }
  for (const user of touched) common[user] = 0;
}
