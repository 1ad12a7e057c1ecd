import { type MetricInfo, RANKING_METRICS, type RankingMetricName } from '../../../src/catalog/rankingMetrics.ts';

/** What a list of N items says of one user. */
export interface UserHits {
  /** 1-based ranks of the user's true items among the first N places, ascending. */
  readonly ranks: ArrayLike<number>;
  /** True items of the user, at least 1; those without a rank are misses. */
  readonly truthCount: number;
  /** N */
  readonly cutoff: number;
}

/** A metric of rankings: what the catalog says of it, and its formula. */
export interface RankingMetric extends MetricInfo {
  readonly name: RankingMetricName;
  /** Its value for one user; over users it is a mean. */
  readonly ofUser: (hits: UserHits) => number;
}

/** The metric of that name in the catalog, with its formula. */
export function rankingMetric(name: RankingMetricName, ofUser: RankingMetric['ofUser']): RankingMetric {
  return { ...RANKING_METRICS[name], name, ofUser };
}
