import { badInput } from '#src/base/contracts/errors.ts';
import { checkCutoff, hitMetrics, type TopNMetrics } from '#workers/evaluation/ranking/hitMetrics.ts';

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
  checkCutoff(cutoff, 'cutoff');
  const relevant = new Set(truth);
  if (relevant.size === 0) throw badInput('a user has at least one true item, got none', 'truth');
  if (relevant.size < truth.length) throw badInput('true items are different, got one twice', 'truth');
  for (const item of relevant) {
    if (!Number.isInteger(item) || item < 0 || item >= scores.length) {
      throw badInput(`true items are among the ${scores.length} scored ones, got ${item}`, 'truth');
    }
  }
  const ranks: number[] = [];
  for (const [index, item] of topItems(scores, cutoff).entries()) if (relevant.has(item)) ranks.push(index + 1);
  return hitMetrics(ranks, { truthCount: relevant.size, cutoff });
}
