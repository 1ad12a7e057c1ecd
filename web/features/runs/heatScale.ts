/** The share of the values at each end that is drawn like the ones beside it: one run that diverged must not pale all others. */
const OUTLYING = 0.05;

/**
 * How strongly a value is shaded, from 0 to 1 where it is best; null for values that are not finite. Between the 5th and the
 * 95th percentile it is linear. Where neither way is better the greatest are the strongest.
 * @returns null where there are no two different values to tell apart.
 */
export function heatScale(
  values: readonly number[],
  direction: 'higher' | 'lower' | null,
): ((value: number) => number | null) | null {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const last = sorted.length - 1;
  if (last < 1 || sorted[0] === sorted[last]) return null;
  let [low, high] = [sorted[Math.floor(last * OUTLYING)]!, sorted[Math.ceil(last * (1 - OUTLYING))]!];
  if (low === high) [low, high] = [sorted[0]!, sorted[last]!];
  return (value) => {
    if (!Number.isFinite(value)) return null;
    const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
    return direction === 'lower' ? 1 - share : share;
  };
}
