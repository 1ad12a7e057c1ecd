import { checkQueries, type EmbeddingQueries, type EmbeddingScores } from './embeddingQueries.ts';
import { emptyRankedUsers, type RankedUsers } from '../ranking/rankedUsers.ts';
import { TopList } from '../ranking/topList.ts';

/** Queries between two calls of `betweenQueries`. */
const PULSE_QUERIES = 16;

/** (items) Dot products with a user's embedding in single precision, summed in the order of the columns. */
function scoreAll(model: EmbeddingScores, user: number, scores: Float32Array): void {
  const { users, items, dimension } = model;
  const start = user * dimension;
  for (let item = 0, at = 0; item < scores.length; item++) {
    let sum = 0;
    for (let d = 0; d < dimension; d++, at++) {
      sum = Math.fround(sum + Math.fround(users[start + d]! * items[at]!));
    }
    scores[item] = sum;
  }
}

/**
 * Lists the best items of each query and finds the rank of its target among all items, by dot product in single precision,
 * ties to the lowest item. No users × items matrix. A target whose score is not a number has rank 0.
 */
export function embeddingRankingReference(model: EmbeddingScores, queries: EmbeddingQueries): RankedUsers {
  checkQueries(model, queries);
  const { listLength } = queries;
  const ranked = emptyRankedUsers(queries.users.length, listLength);
  const scores = new Float32Array(model.items.length / model.dimension);
  const excludedIn = new Int32Array(scores.length).fill(-1);
  const list = new TopList(listLength);
  for (let query = 0; query < queries.users.length; query++) {
    if (query % PULSE_QUERIES === 0) queries.betweenQueries?.(query);
    scoreAll(model, queries.users[query]!, scores);
    const target = queries.targets[query]!;
    const own = scores[target]!;
    const excluded = queries.excluded?.(query) ?? [];
    for (let at = 0; at < excluded.length; at++) excludedIn[excluded[at]!] = query;
    excludedIn[target] = -1;
    let greater = 0;
    let before = 0;
    let after = 0;
    for (let item = 0; item < scores.length; item++) {
      if (excludedIn[item] === query) continue;
      const score = scores[item]!;
      list.offer(item, score);
      if (score > own) greater++;
      else if (score === own && item < target) before++;
      else if (score === own && item > target) after++;
    }
    list.drain(ranked.lists.subarray(query * listLength, (query + 1) * listLength));
    if (Number.isNaN(own)) continue;
    ranked.bestRanks[query] = 1 + greater;
    ranked.ranks[query] = 1 + greater + before;
    ranked.worstRanks[query] = 1 + greater + before + after;
  }
  return ranked;
}
