/**
 * The cells of the metrics with the test's: at the end, and on a phone beside the metric that is tested, so that both are in
 * sight. Without metrics there is no test.
 */
export function withVerdict<Cell>(
  metrics: readonly Cell[],
  verdict: Cell,
  { tested, narrow }: { tested: number; narrow: boolean },
): Cell[] {
  if (metrics.length === 0) return [];
  const place = narrow ? tested + 1 : metrics.length;
  return [...metrics.slice(0, place), verdict, ...metrics.slice(place)];
}
