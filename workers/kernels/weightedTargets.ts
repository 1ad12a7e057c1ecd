import type { NearestRows } from './nearestRows.ts';

/** Scores of the items that are a target of some neighbour; all others score 0. Reused from query to query. */
export interface WeightedTargets {
  items: Uint32Array;
  scores: Float64Array;
  size: number;
}

export function emptyWeightedTargets(neighbours: number): WeightedTargets {
  return { items: new Uint32Array(neighbours), scores: new Float64Array(neighbours), size: 0 };
}

/**
 * Weighted Y of OverRec Eq. 16 over the first k nearest rows of a query: an item's score is the sum of the kernel values of
 * the neighbours whose target it is (`sum`), or the value of the nearest of them (`assign`, the authors' code). The common
 * denominator of Eq. 16 is left out: it changes no ranking, and dividing by it could make ties by rounding.
 * `targets` (rows) has the item that follows each row. Writes into `into`.
 */
export function weightedTargets(
  nearest: NearestRows,
  query: number,
  by: { k: number; targets: Uint32Array; duplicates: 'sum' | 'assign'; into: WeightedTargets },
): WeightedTargets {
  const { targets, duplicates, into } = by;
  const start = query * nearest.count;
  into.size = 0;
  for (let at = start; at < start + by.k && nearest.rows[at] >= 0; at++) {
    const item = targets[nearest.rows[at]];
    const known = into.items.subarray(0, into.size).indexOf(item);
    if (known < 0) {
      into.items[into.size] = item;
      into.scores[into.size++] = nearest.values[at];
    } else if (duplicates === 'sum') {
      into.scores[known] += nearest.values[at];
    }
  }
  return into;
}
