import { badInput } from '../../src/contracts/errors.ts';

/** Metrics of one user's list of N items, or their means over users. */
export interface TopNMetrics {
  /** 1 where any true item is in the list. */
  hr: number;
  /** Hits / N. */
  precision: number;
  /** Hits / true items. */
  recall: number;
  /** 2 P R / (P + R), 0 without a hit. As a mean: the mean of the users' F1. */
  f1: number;
  /** 1 / rank of the first hit, 0 without one. */
  mrr: number;
  /** DCG / IDCG with gains 1 / log2(rank + 1); IDCG over min(true items, N). */
  ndcg: number;
  /** Average precision: the precision at the rank of each hit, summed, over min(true items, N). */
  map: number;
}

export const TOP_N_METRICS = ['hr', 'precision', 'recall', 'f1', 'mrr', 'ndcg', 'map'] as const;

/** Throws BAD_INPUT for a cut-off that is not a positive integer. */
export function checkCutoff(cutoff: number, path: string): void {
  if (!Number.isInteger(cutoff) || cutoff < 1) throw badInput(`a cut-off is a positive integer, got ${cutoff}`, path);
}

/** The harmonic mean of precision and recall, 0 where both are 0. */
export function f1Score(precision: number, recall: number): number {
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

/**
 * Metrics of one user at N = `cutoff`, from the 1-based ranks of its true items in ascending order. Ranks beyond N, and true
 * items that have no rank, count as misses. `truthCount` is the number of true items, at least 1.
 */
export function hitMetrics(
  ranks: ArrayLike<number>,
  { truthCount, cutoff }: { truthCount: number; cutoff: number },
): TopNMetrics {
  let hits = 0;
  let gain = 0;
  let precisions = 0;
  for (let at = 0; at < ranks.length && ranks[at]! <= cutoff; at++) {
    hits += 1;
    gain += 1 / Math.log2(ranks[at]! + 1);
    precisions += hits / ranks[at]!;
  }
  const reachable = Math.min(truthCount, cutoff);
  let ideal = 0;
  for (let rank = 1; rank <= reachable; rank++) ideal += 1 / Math.log2(rank + 1);
  const precision = hits / cutoff;
  const recall = hits / truthCount;
  return {
    hr: hits > 0 ? 1 : 0,
    precision,
    recall,
    f1: f1Score(precision, recall),
    mrr: hits > 0 ? 1 / ranks[0]! : 0,
    ndcg: gain / ideal,
    map: precisions / reachable,
  };
}

/** Means over users; NaN of none. */
export function meanTopNMetrics(users: readonly TopNMetrics[]): TopNMetrics {
  const mean: TopNMetrics = { hr: 0, precision: 0, recall: 0, f1: 0, mrr: 0, ndcg: 0, map: 0 };
  for (const user of users) for (const name of TOP_N_METRICS) mean[name] += user[name];
  for (const name of TOP_N_METRICS) mean[name] /= users.length;
  return mean;
}
