import { z } from 'zod';

/** The API's MetricValue: a JSON number, or the name of one that JSON lacks. */
export const metricValueSchema = z.union([
  z.number(),
  z.literal('NaN').transform(() => Number.NaN),
  z.literal('Infinity').transform(() => Number.POSITIVE_INFINITY),
  z.literal('-Infinity').transform(() => Number.NEGATIVE_INFINITY),
]);

/** A number as JSON can hold it: NaN and the infinities as strings. */
export function toJsonNumber(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
