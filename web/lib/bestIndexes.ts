/** Places of the best value, several at a tie; none without a direction, or with fewer than two values to choose from. */
export function bestIndexes(
  values: readonly (number | null)[],
  direction: 'higher' | 'lower' | null,
): ReadonlySet<number> {
  const finite = values.filter((value): value is number => value !== null && Number.isFinite(value));
  if (direction === null || finite.length < 2) return new Set();
  const best = direction === 'higher' ? Math.max(...finite) : Math.min(...finite);
  return new Set(values.flatMap((value, index) => (value === best ? [index] : [])));
}
