import { rankingMetric } from './rankingMetric.ts';

/** Hits / N. */
export const precision = rankingMetric('precision', ({ ranks, cutoff }) => ranks.length / cutoff);
