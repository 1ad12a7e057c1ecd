import { rankingMetric } from './rankingMetric.ts';

/** 1 / rank of the first hit, 0 without one. */
export const mrr = rankingMetric('mrr', ({ ranks }) => (ranks.length > 0 ? 1 / ranks[0]! : 0));
