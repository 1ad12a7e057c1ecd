import { RANKING_METRIC_NAMES, RANKING_METRICS, type RankingMetricName } from '#src/catalog/rankingMetrics.ts';
import { badInput } from '#src/base/contracts/errors.ts';

/** Metrics of one user's list of N items, or their means over users. */
export type TopNMetrics = Record<RankingMetricName, number>;

/** Throws BAD_INPUT for a cut-off that is not a positive integer. */
export function checkCutoff(cutoff: number, path: string): void {
  if (!Number.isInteger(cutoff) || cutoff < 1) throw badInput(`a cut-off is a positive integer, got ${cutoff}`, path);
}

/**
 * Metrics of one user at N = `cutoff`, from the 1-based ranks of its true items in ascending order. Ranks beyond N, and true
 * items that have no rank, count as misses. `truthCount` is the number of true items, at least 1.
 */
export function hitMetrics(
  ranks: ArrayLike<number>,
  { truthCount, cutoff }: { truthCount: number; cutoff: number },
): TopNMetrics {
  const hits = { ranks: Array.from(ranks).filter((rank) => rank <= cutoff), truthCount, cutoff };
  return metricsBy((name) => RANKING_METRICS[name].ofUser(hits));
}

/** Means over users; NaN of none. */
export function meanTopNMetrics(users: readonly TopNMetrics[]): TopNMetrics {
  return metricsBy((name) => users.reduce((sum, user) => sum + user[name], 0) / users.length);
}

function metricsBy(compute: (name: RankingMetricName) => number): TopNMetrics {
  return Object.fromEntries(RANKING_METRIC_NAMES.map((name) => [name, compute(name)])) as TopNMetrics;
}
