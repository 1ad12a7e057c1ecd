import { rankingMetric } from './rankingMetric.ts';

/** 1 where any true item is in the list. */
export const hr = rankingMetric('hr', ({ ranks }) => (ranks.length > 0 ? 1 : 0));
