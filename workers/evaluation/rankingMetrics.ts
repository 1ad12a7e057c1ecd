import { checkCutoff, f1Score } from './hitMetrics.ts';

/**
 * Ranking metrics of one held-out target a user, as means over users.
 *
 * `ranks` (users): the 1-based rank of the target among all ranked items, or 0 where it was never ranked, which counts as
 * no hit. For each cut-off N: `mrr@N` = 1/rank if rank <= N else 0; `ndcg@N` = 1/log2(rank + 1), the NDCG of a single
 * relevant item; `hr@N` = share of users with rank <= N. Names are in the order of the cut-offs: mrr, ndcg, hr.
 * No users give NaN. Throws BAD_INPUT for a cut-off that is not a positive integer.
 */
export function rankingMetrics(ranks: Int32Array, cutoffs: readonly number[]): Record<string, number> {
  const metrics: Record<string, number> = {};
  for (const cutoff of cutoffs) {
    checkCutoff(cutoff, 'cutoffs');
    let reciprocal = 0;
    let gain = 0;
    let hits = 0;
    for (const rank of ranks) {
      if (rank < 1 || rank > cutoff) continue;
      reciprocal += 1 / rank;
      gain += 1 / Math.log2(rank + 1);
      hits += 1;
    }
    metrics[`mrr@${cutoff}`] = reciprocal / ranks.length;
    metrics[`ndcg@${cutoff}`] = gain / ranks.length;
    metrics[`hr@${cutoff}`] = hits / ranks.length;
  }
  return metrics;
}

/**
 * The set metrics of one target a user, which follow from `rankingMetrics`: `precision@N` = hr / N, `f1@N` = mean of
 * 2 P R / (P + R), `map@N` = mrr, since the average precision of a single target is 1/rank. Recall is hr.
 */
export function singleTargetMetrics(metrics: Record<string, number>, cutoff: number): Record<string, number> {
  const hitRate = metrics[`hr@${cutoff}`]!;
  return {
    [`precision@${cutoff}`]: hitRate / cutoff,
    [`f1@${cutoff}`]: hitRate * f1Score(1 / cutoff, 1),
    [`map@${cutoff}`]: metrics[`mrr@${cutoff}`]!,
  };
}
