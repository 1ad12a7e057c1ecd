import { counterBits, counterKey, dropThreshold } from '#workers/math/random/counterRandom.ts';
import { type PaddedGroup, paddedGroups } from '../paddedGroups.ts';
import { type SequenceLayout, sequenceLength } from '../sequenceLayout.ts';
import { tf } from '../tf.ts';
import type { Attention } from './attention.ts';
import { type Dropout, drops } from './dropout.ts';
import { webgpuInUse } from './webgpuInUse.ts';

/** Added to the score of a key that is not seen: its weight is then exactly 0. */
const UNSEEN = -1e9;

/** The reference implementation of `causalAttention`, out of tfjs operations: groups of similar length, padded at the right and masked. */
export function composedAttention(attention: Attention): tf.Tensor2D {
  return tf.tidy(() => {
    const { groups, places } = paddedGroups(attention.layout, webgpuInUse() === null ? 'similar' : 'many');
    const outputs = groups.map((group) => attendGroup(attention, group)); // (members × length, d) each
    return tf.gather(tf.concat(outputs, 0), tf.tensor1d(places, 'int32')); // (tokens, d)
  });
}

function attendGroup(attention: Attention, group: PaddedGroup): tf.Tensor2D {
  const { query, key, value, layout, heads, causal, pads, dropout } = attention;
  const columns = query.shape[1];
  const width = columns / heads;
  const rows = tf.tensor1d(group.rows, 'int32');
  const split = (packed: tf.Tensor2D): tf.Tensor4D =>
    tf.transpose(tf.reshape(tf.gather(packed, rows), [group.members.length, group.length, heads, width]), [0, 2, 1, 3]);
  const queries: tf.Tensor4D = tf.mul(split(query), 1 / Math.sqrt(width)); // (members, heads, length, width)
  const scores: tf.Tensor4D = tf.add(tf.matMul(queries, split(key), false, true), seenMask(layout, group, causal));
  const all = pads ? tf.concat([scores, padScores(queries, pads.key, { layout, group, heads })], 3) : scores;
  let weights = tf.softmax(all); // (members, heads, length, length + 1 with pads)
  if (drops(dropout)) {
    weights = tf.mul(weights, weightFactors({ layout, group, heads, dropout, withPads: pads !== undefined }));
  }
  const [size, length] = [group.members.length, group.length];
  let result = tf.matMul(pads ? tf.slice(weights, [0, 0, 0, 0], [size, heads, length, length]) : weights, split(value));
  if (pads) {
    const last = tf.slice(weights, [0, 0, 0, length], [size, heads, length, 1]);
    result = tf.add(result, tf.mul(last, tf.reshape(pads.value, [1, heads, 1, width])));
  }
  return tf.reshape(tf.transpose(result, [0, 2, 1, 3]), [size * length, columns]);
}

/**
 * 0 where a key is seen: (1, 1, length, length) where causal, since what lies to the right of a token is unseen anyway, pads included;
 * else (members, 1, 1, length). What pads themselves see does not matter: they are dropped.
 */
export function seenMask(layout: SequenceLayout, { members, length }: PaddedGroup, causal: boolean): tf.Tensor4D {
  const rows = causal ? length : members.length;
  const mask = new Float32Array(rows * length).fill(UNSEEN);
  for (let row = 0; row < rows; row++) {
    const seen = causal ? row + 1 : sequenceLength(layout, members[row]!);
    mask.fill(0, row * length, row * length + seen);
  }
  return tf.tensor4d(mask, causal ? [1, 1, length, length] : [members.length, 1, 1, length]);
}

/** (members, heads, length, 1): the score of all pads of a sequence as one key, their number being added as its logarithm. */
function padScores(
  queries: tf.Tensor4D,
  key: tf.Tensor1D,
  { layout, group, heads }: { layout: SequenceLayout; group: PaddedGroup; heads: number },
): tf.Tensor4D {
  const shifts = Float32Array.from(group.members, (s) => {
    const pads = layout.paddedLength - sequenceLength(layout, s);
    return pads > 0 ? Math.log(pads) : UNSEEN;
  });
  const products = tf.sum(tf.mul(queries, tf.reshape(key, [1, heads, 1, key.size / heads])), 3, true);
  return tf.add(products, tf.tensor4d(shifts, [shifts.length, 1, 1, 1]));
}

export interface WeightFactors {
  readonly layout: SequenceLayout;
  readonly group: PaddedGroup;
  readonly heads: number;
  readonly dropout: Dropout;
  readonly withPads: boolean;
}

/** What dropout multiplies each weight by; for the pads, the share of them that is kept over 1 - rate. */
export function weightFactors({ layout, group, heads, dropout, withPads }: WeightFactors): tf.Tensor4D {
  const { members, length } = group;
  const keys = withPads ? length + 1 : length;
  const key = counterKey(dropout);
  const threshold = dropThreshold(dropout.rate);
  const scale = 1 / (1 - dropout.rate);
  const factors = new Float32Array(members.length * heads * length * keys);
  members.forEach((s, m) => {
    const own = sequenceLength(layout, s);
    const pads = layout.paddedLength - own;
    for (let head = 0; head < heads; head++) {
      for (let t = 0; t < own; t++) {
        const first = ((layout.offsets[s]! + t) * heads + head) * layout.paddedLength;
        const to = ((m * heads + head) * length + t) * keys;
        for (let j = 0; j < own; j++) if (counterBits(key, first + j) >= threshold) factors[to + j] = scale;
        if (!withPads || pads === 0) continue;
        let kept = 0;
        for (let j = own; j < layout.paddedLength; j++) if (counterBits(key, first + j) >= threshold) kept++;
        factors[to + length] = (kept * scale) / pads;
      }
    }
  });
  return tf.tensor4d(factors, [members.length, heads, length, keys]);
}
