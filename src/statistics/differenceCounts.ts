/** How differences of many users are distributed. */
export interface DifferenceCounts {
  /** Users above, below and equal to the baseline. */
  above: number;
  below: number;
  equal: number;
  /** The greatest difference, either way; 0 where all are equal. */
  limit: number;
  /** Users by their difference, those that are equal left out: equal steps from -limit to limit. */
  counts: number[];
}

/** Even, so that 0 lies between two steps. */
const STEPS = 20;

/** Counts of differences, a less b, in equal steps around 0. `differences` (users). */
export function countDifferences(differences: readonly number[]): DifferenceCounts {
  let limit = 0;
  for (const difference of differences) limit = Math.max(limit, Math.abs(difference));
  const counts = new Array<number>(STEPS).fill(0);
  let [above, below] = [0, 0];
  for (const difference of differences) {
    if (difference === 0) continue;
    if (difference > 0) above++;
    else below++;
    // a step holds its end that is farther from 0, so that both sides are alike
    const steps = Math.ceil((Math.abs(difference) / limit) * (STEPS / 2));
    counts[difference > 0 ? STEPS / 2 + steps - 1 : STEPS / 2 - steps]!++;
  }
  return { above, below, equal: differences.length - above - below, limit, counts };
}
