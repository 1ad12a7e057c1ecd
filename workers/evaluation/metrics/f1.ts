import { precision } from './precision.ts';
import { rankingMetric } from './rankingMetric.ts';
import { recall } from './recall.ts';

/** The harmonic mean of precision and recall, 0 where both are 0. */
export function f1Score(ofPrecision: number, ofRecall: number): number {
  return ofPrecision + ofRecall > 0 ? (2 * ofPrecision * ofRecall) / (ofPrecision + ofRecall) : 0;
}

/** 2 P R / (P + R) of each user, 0 without a hit. */
export const f1 = rankingMetric('f1', (hits) => f1Score(precision.ofUser(hits), recall.ofUser(hits)));
