import { type PaddedGroup, paddedGroups } from '../paddedGroups.ts';
import { tf } from '../tf.ts';
import { seenMask, weightFactors } from './composedAttention.ts';
import { drops } from './dropout.ts';
import type { GaussianAttention } from './gaussianAttention.ts';
import { webgpuInUse } from './webgpuInUse.ts';

/** The reference implementation of `wassersteinAttention`, out of tfjs operations: groups of similar length, padded at the right and masked. */
export function composedWassersteinAttention(attention: GaussianAttention): tf.Tensor2D {
  return tf.tidy(() => {
    const { groups, places } = paddedGroups(attention.layout, webgpuInUse() === null ? 'similar' : 'many');
    const outputs = groups.map((group) => attendGroup(attention, group)); // (members × length, 2d) each
    return tf.gather(tf.concat(outputs, 0), tf.tensor1d(places, 'int32')); // (tokens, 2d)
  });
}

function attendGroup(attention: GaussianAttention, group: PaddedGroup): tf.Tensor2D {
  const { query, key, value, layout, heads, dropout } = attention;
  const columns = query.shape[1];
  const width = columns / (2 * heads);
  const [size, length] = [group.members.length, group.length];
  const rows = tf.tensor1d(group.rows, 'int32');
  /** Means and what lies behind them: (2, members, heads, length, width) */
  const split = (packed: tf.Tensor2D): [tf.Tensor4D, tf.Tensor4D] => {
    const apart = tf.reshape(tf.gather(packed, rows), [size, length, 2, heads, width]);
    return tf.unstack(tf.transpose(apart, [2, 0, 3, 1, 4])) as [tf.Tensor4D, tf.Tensor4D];
  };
  const [queries, keys, values] = [split(query), split(key), split(value)];
  const [mean, deviation] = queries.map((half, at) => halfScores(half, keys[at]!)) as [tf.Tensor4D, tf.Tensor4D];
  const scores = tf.mul(tf.add(mean, deviation), 2 / Math.sqrt(width)); // -W₂² / √width, up to a constant of each row
  let weights: tf.Tensor4D = tf.softmax(tf.add(scores, seenMask(layout, group, true)));
  if (drops(dropout)) {
    weights = tf.mul(weights, weightFactors({ layout, group, heads, dropout, withPads: false }));
  }
  const sums = [tf.matMul(weights, values[0]), tf.matMul(tf.square(weights), values[1])];
  return tf.reshape(tf.transpose(tf.stack(sums), [1, 3, 0, 2, 4]), [size * length, columns]);
}

/** (members, heads, length, length) q k - ½ |k|². */
function halfScores(queries: tf.Tensor4D, keys: tf.Tensor4D): tf.Tensor4D {
  const norms = tf.transpose(tf.sum(tf.square(keys), 3, true), [0, 1, 3, 2]); // (members, heads, 1, length)
  return tf.sub(tf.matMul(queries, keys, false, true), tf.mul(norms, 0.5));
}
