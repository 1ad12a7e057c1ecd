import type { SequenceLayout } from '../sequenceLayout.ts';
import type { tf } from '../tf.ts';
import type { Dropout } from './dropout.ts';

/** What attention is computed of; see `causalAttention`. */
export interface Attention {
  /** [tokens, d], packed as `layout` says; so are `key` and `value`. */
  readonly query: tf.Tensor2D;
  readonly key: tf.Tensor2D;
  readonly value: tf.Tensor2D;
  readonly layout: SequenceLayout;
  /** Heads; a divisor of d. Head h has the columns from h d / heads. */
  readonly heads: number;
  /** Whether a token sees only itself and those before it (SASRec), or its whole sequence (BERT4Rec). */
  readonly causal: boolean;
  /** Drops attention weights after the softmax; null drops none. */
  readonly dropout: Dropout | null;
  /**
   * Left pads that are not masked, as in the code of the SEvo authors: a sequence of length n has
   * `layout.paddedLength` - n keys before its first, which all have this key and this value ([d] each: what a zero vector
   * becomes, the biases), and which every token sees. Dropout drops them one by one.
   */
  readonly pads?: { readonly key: tf.Tensor1D; readonly value: tf.Tensor1D };
}
