import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import { tf } from '../tensor/tf.ts';
import { matrixOf, type Parameters } from './namedParameters.ts';

/** Stands where an item is masked. */
export const MASKED = -1;

/** (tokens, d) Rows of `items`, and that of `mask` where the item is masked. */
export function maskedEmbeddings(parameters: Parameters, items: Int32Array): tf.Tensor2D {
  const isMasked = Float32Array.from(items, (item) => (item === MASKED ? 1 : 0));
  const known = items.map((item) => (item === MASKED ? 0 : item));
  const masked = tf.tensor2d(isMasked, [items.length, 1]);
  const rows = tf.mul(embeddingLookup(matrixOf(parameters, 'items'), known), tf.sub(1, masked));
  return tf.add(rows, tf.mul(masked, matrixOf(parameters, 'mask')));
}
