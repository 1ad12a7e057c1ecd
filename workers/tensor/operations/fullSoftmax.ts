import type { tf } from '../tf.ts';

/** What the cross-entropy over all items takes. */
export interface FullSoftmax {
  /** [positions, d] */
  readonly hidden: tf.Tensor2D;
  /** [items, d] */
  readonly table: tf.Tensor2D;
  /** (positions) The item that came. */
  readonly targets: Int32Array;
  /** [items] added to the scores. */
  readonly bias?: tf.Tensor1D | undefined;
  /** (positions) What each position's loss is multiplied by; 1 by default. */
  readonly weights?: Float32Array | undefined;
  /** What the sum over positions is divided by: the positions of the whole logical batch. Defaults to those given. */
  readonly normaliser?: number | undefined;
}
