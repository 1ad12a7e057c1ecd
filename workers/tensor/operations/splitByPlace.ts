import { tf } from '../tf.ts';
import type { TimeMajorOrder } from '../timeMajorOrder.ts';

/** Rows [tokens, columns] in time-major order, by place. */
export function splitByPlace(rows: tf.Tensor2D, { counts }: TimeMajorOrder): tf.Tensor2D[] {
  // tfjs cannot differentiate a split into one.
  return counts.length === 1 ? [rows] : tf.split(rows, [...counts], 0);
}
