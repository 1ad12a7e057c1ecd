import type { HeldOut } from './heldOut.ts';
import { HeldOutLists } from './heldOutLists.ts';
import { meanTopNMetrics } from './hitMetrics.ts';

export interface HeldOutRanking {
  /** Writes the score of every item for the user, known its history, into `scores` (items). */
  score(user: { number: number; history: Uint32Array }, scores: Float64Array): void;
  itemCount: number;
  listLength: number;
  /** Items that do not score above it are not recommended. */
  floor: number;
  /** Called after each user; may throw to stop. */
  pulse?: () => void;
}

/** The best candidates of every user of a part, one user at a time. */
export function rankHeldOut(
  part: HeldOut,
  { score, itemCount, listLength, floor, pulse }: HeldOutRanking,
): HeldOutLists {
  const lists = new HeldOutLists(part, { listLength, itemCount, floor });
  const scores = new Float64Array(itemCount);
  for (const [index, number] of part.users.entries()) {
    score({ number, history: part.history(index) }, scores);
    lists.take(index, scores);
    pulse?.();
  }
  return lists;
}

/** By which settings and epochs are compared: means of `ndcg@N`, `hr@N` and `f1@N`; NaN where nobody is asked for. */
export function validationMetrics(lists: HeldOutLists, cutoffs: readonly number[]): Record<string, number> {
  const metrics: Record<string, number> = {};
  for (const cutoff of cutoffs) {
    const { ndcg, hr, f1 } = meanTopNMetrics(lists.metrics(cutoff));
    metrics[`ndcg@${cutoff}`] = ndcg;
    metrics[`hr@${cutoff}`] = hr;
    metrics[`f1@${cutoff}`] = f1;
  }
  return metrics;
}
