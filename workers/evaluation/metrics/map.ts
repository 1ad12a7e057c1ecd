import { rankingMetric } from './rankingMetric.ts';

/** Average precision: the precision at the rank of each hit, summed, over min(true items, N). */
export const map = rankingMetric('map', ({ ranks, truthCount, cutoff }) => {
  let precisions = 0;
  for (let at = 0; at < ranks.length; at++) precisions += (at + 1) / ranks[at]!;
  return precisions / Math.min(truthCount, cutoff);
});
