export interface Interval {
  low: number;
  high: number;
}

/** Places of values on a line from 0 to 1 that shows all intervals and zero; null where none is finite. */
export function differenceScale(intervals: readonly Interval[]): ((value: number) => number) | null {
  const ends = intervals.flatMap(({ low, high }) => [low, high]).filter(Number.isFinite);
  if (ends.length === 0) return null;
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const width = most - least;
  if (width === 0) return null;
  const margin = 0.04;
  return (value) => margin + ((1 - 2 * margin) * (Math.min(most, Math.max(least, value)) - least)) / width;
}
