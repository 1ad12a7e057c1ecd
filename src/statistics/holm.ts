/**
 * Holm's adjusted p-values of tests made together, in the order given: those at most α are rejected with a chance of at
 * most α of any false one, whatever the tests' dependence. Holm 1979, Scandinavian Journal of Statistics 6, 65-70.
 * NaN, a test that says nothing, stays NaN and counts as one of the tests.
 */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].filter((test) => !Number.isNaN(pValues[test]));
  order.sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted = pValues.map(() => Number.NaN);
  let greatest = 0;
  for (const [rank, test] of order.entries()) {
    greatest = Math.max(greatest, Math.min(1, (pValues.length - rank) * pValues[test]!));
    adjusted[test] = greatest;
  }
  return adjusted;
}
