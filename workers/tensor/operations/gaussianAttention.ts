import type { SequenceLayout } from '../sequenceLayout.ts';
import type { tf } from '../tf.ts';
import type { Dropout } from './dropout.ts';

/** What attention between Gaussians of independent coordinates is computed of; see `wassersteinAttention`. */
export interface GaussianAttention {
  /** [tokens, 2d] Means, and behind them standard deviations; so has `key`. Packed as `layout` says. */
  readonly query: tf.Tensor2D;
  readonly key: tf.Tensor2D;
  /** [tokens, 2d] Means, and behind them variances. */
  readonly value: tf.Tensor2D;
  readonly layout: SequenceLayout;
  /** Heads; a divisor of d. Head h has the columns from h d / heads of each half. */
  readonly heads: number;
  /** Drops attention weights after the softmax; null drops none. */
  readonly dropout: Dropout | null;
}
