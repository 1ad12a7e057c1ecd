import { studentTwoSided } from './studentDistribution.ts';

const HALVINGS = 200;

/**
 * The t that |T| stays below with probability `level`, for Student's t with `df` degrees of freedom: half the width of a
 * confidence interval in standard errors. 12.706 for 0.95 and 1.
 * @throws RangeError for a level that is not between 0 and 1, or degrees of freedom that are not above 0.
 */
export function studentQuantile(level: number, df: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`a level lies between 0 and 1, received ${level}`);
  if (!(df > 0)) throw new RangeError(`degrees of freedom are above 0, received ${df}`);
  const outside = 1 - level;
  let high = 1;
  while (studentTwoSided(high, df) > outside) high *= 2;
  let low = high === 1 ? 0 : high / 2;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (studentTwoSided(middle, df) > outside) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
