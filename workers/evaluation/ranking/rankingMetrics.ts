import { RANKING_METRICS, type RankingMetricName } from '#src/catalog/rankingMetrics.ts';
import { checkCutoff } from './hitMetrics.ts';

const USUAL: readonly RankingMetricName[] = ['mrr', 'ndcg', 'hr'];

/**
 * Ranking metrics of one held-out target a user, as means over users: `mrr@N`, `ndcg@N` and `hr@N` of each cut-off N, or those
 * of `names`.
 *
 * `ranks` (users): the 1-based rank of the target among all ranked items, or 0 where it was never ranked, which counts as
 * no hit. Names are in the order of the cut-offs. No users give NaN. Throws BAD_INPUT for a cut-off that is not a positive
 * integer.
 */
export function rankingMetrics(
  ranks: Int32Array,
  cutoffs: readonly number[],
  names: readonly RankingMetricName[] = USUAL,
): Record<string, number> {
  const metrics: Record<string, number> = {};
  for (const cutoff of cutoffs) {
    checkCutoff(cutoff, 'cutoffs');
    const hits = ranks.filter((rank) => rank >= 1 && rank <= cutoff);
    for (const name of names) {
      let sum = 0;
      for (const rank of hits) sum += RANKING_METRICS[name].ofUser({ ranks: [rank], truthCount: 1, cutoff });
      metrics[`${name}@${cutoff}`] = sum / ranks.length;
    }
  }
  return metrics;
}
