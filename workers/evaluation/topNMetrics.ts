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
}

const NAMES = ['hr', 'precision', 'recall', 'f1', 'mrr', 'ndcg'] as const;

/** The `count` items with the greatest scores (items), greatest first, ties to the lowest item number. */
export function topItems(scores: ArrayLike<number>, count: number): number[] {
  const order = Array.from({ length: scores.length }, (_, item) => item);
  return order.sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, count);
}

/**
 * Metrics of `scores` (items) against the true items, cut off at N = `cutoff`.
 * Throws BAD_INPUT where there is no true item, one is given twice or is no item, or the cut-off is not a positive integer.
 */
export function topNMetrics(scores: ArrayLike<number>, truth: readonly number[], cutoff: number): TopNMetrics {
  if (!Number.isInteger(cutoff) || cutoff < 1)
    throw badInput(`a cut-off is a positive integer, got ${cutoff}`, 'cutoff');
  const relevant = new Set(truth);
  if (relevant.size === 0) throw badInput('a user has at least one true item, got none', 'truth');
  if (relevant.size < truth.length) throw badInput('true items are different, got one twice', 'truth');
  for (const item of relevant) {
    if (!Number.isInteger(item) || item < 0 || item >= scores.length) {
      throw badInput(`true items are among the ${scores.length} scored ones, got ${item}`, 'truth');
    }
  }
  let hits = 0;
  let gain = 0;
  let first = 0;
  for (const [index, item] of topItems(scores, cutoff).entries()) {
    if (!relevant.has(item)) continue;
    hits += 1;
    gain += 1 / Math.log2(index + 2);
    if (first === 0) first = index + 1;
  }
  let ideal = 0;
  for (let index = 0; index < Math.min(relevant.size, cutoff); index++) ideal += 1 / Math.log2(index + 2);
  const precision = hits / cutoff;
  const recall = hits / relevant.size;
  return {
    hr: hits > 0 ? 1 : 0,
    precision,
    recall,
    f1: f1Score(precision, recall),
    mrr: first > 0 ? 1 / first : 0,
    ndcg: gain / ideal,
  };
}

/** The harmonic mean of precision and recall, 0 where both are 0. */
export function f1Score(precision: number, recall: number): number {
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

/** Means over users; NaN of none. */
export function meanTopNMetrics(users: readonly TopNMetrics[]): TopNMetrics {
  const mean = { hr: 0, precision: 0, recall: 0, f1: 0, mrr: 0, ndcg: 0 };
  for (const user of users) for (const name of NAMES) mean[name] += user[name];
  for (const name of NAMES) mean[name] /= users.length;
  return mean;
}
