/** What a point costs in its columns, as text. */
const POINT_BYTES = 60;

/** About how many bytes series in columns take in an answer. */
export function historyBytes(series: readonly { steps: readonly number[] }[]): number {
  return series.reduce((sum, { steps }) => sum + steps.length * POINT_BYTES, 0);
}
