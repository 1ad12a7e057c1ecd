import { rankingMetrics } from '#workers/evaluation/ranking/rankingMetrics.ts';
import type { CutoffRanking } from '#workers/evaluation/protocols/protocol.ts';

/** `mrr@N`, `ndcg@N` and `hr@N` of each cut-off N by the ranking that belongs to it. */
export function cutoffAccuracy(rankings: readonly CutoffRanking[]): Record<string, number> {
  const metrics: Record<string, number> = {};
  for (const { cutoff, ranked } of rankings) Object.assign(metrics, rankingMetrics(ranked.ranks, [cutoff]));
  return metrics;
}
