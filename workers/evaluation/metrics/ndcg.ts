import { rankingMetric } from './rankingMetric.ts';

/** DCG / IDCG with gains 1 / log2(rank + 1); IDCG over min(true items, N). */
export const ndcg = rankingMetric('ndcg', ({ ranks, truthCount, cutoff }) => {
  let gain = 0;
  for (let at = 0; at < ranks.length; at++) gain += 1 / Math.log2(ranks[at]! + 1);
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(truthCount, cutoff); rank++) ideal += 1 / Math.log2(rank + 1);
  return gain / ideal;
});
