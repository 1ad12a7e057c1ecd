import { rankingMetric } from './rankingMetric.ts';

/** Hits / true items. */
export const recall = rankingMetric('recall', ({ ranks, truthCount }) => ranks.length / truthCount);
