/** A 64-bit float as it travels in JSON. */
export type MetricValue = number | 'NaN' | 'Infinity' | '-Infinity';

/** The number that a `MetricValue` stands for; `Number` reads the three words as they are. */
export function toNumber(value: MetricValue): number {
  return Number(value);
}
