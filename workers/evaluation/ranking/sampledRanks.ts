import type { EmbeddingScores } from '../embeddings/embeddingQueries.ts';

/** Targets, each to be ranked among some other items. */
export interface SampledQueries {
  /** (queries) Rows of the users' embeddings. */
  users: Uint32Array;
  /** (queries) */
  targets: Uint32Array;
  /** (queries) The items that the target is ranked among, itself not among them. */
  candidates: readonly Uint32Array[];
}

/** (queries) 1-based rank of each target among its candidates by the products of the embeddings, ties to the lowest item. */
export function sampledRanks(
  { users, items, dimension }: EmbeddingScores,
  { users: rows, targets, candidates }: SampledQueries,
): Int32Array {
  return Int32Array.from(rows, (row, query) => {
    const user = row * dimension;
    const scoreOf = (item: number): number => {
      let sum = 0;
      for (let d = 0; d < dimension; d++) sum += users[user + d]! * items[item * dimension + d]!;
      return sum;
    };
    const target = targets[query]!;
    const wanted = scoreOf(target);
    let rank = 1;
    for (const item of candidates[query]!) {
      const score = scoreOf(item);
      if (score > wanted || (score === wanted && item < target)) rank++;
    }
    return rank;
  });
}
