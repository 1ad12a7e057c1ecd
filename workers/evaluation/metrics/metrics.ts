import type { RankingMetricName } from '../../../src/catalog/rankingMetrics.ts';
import { f1 } from './f1.ts';
import { hr } from './hr.ts';
import { map } from './map.ts';
import { mrr } from './mrr.ts';
import { ndcg } from './ndcg.ts';
import { precision } from './precision.ts';
import type { RankingMetric } from './rankingMetric.ts';
import { recall } from './recall.ts';

/** Every metric of rankings, in the order in which they are reported. */
export const METRICS: Readonly<Record<RankingMetricName, RankingMetric>> = {
  mrr,
  ndcg,
  hr,
  precision,
  recall,
  f1,
  map,
};

/** Their names, in that order. */
export const METRIC_NAMES = Object.keys(METRICS) as RankingMetricName[];
