import { badInput } from '#src/contracts/errors.ts';
import { type FeatureMap, featureDirections } from '../math/dense/featureDirections.ts';
import { tf } from '../tensor/tf.ts';

/** φ_m(·, Q) as the first layer of a network: fully connected with fixed weights U, then cosine and sine. */
export interface FeatureLayer {
  /** All that is stored of it. */
  map: FeatureMap;
  /** [rows, d] to [rows, 2m]; differentiable in h. Rows are taken as they are. */
  apply(h: tf.Tensor2D): tf.Tensor2D;
  dispose(): void;
}

/**
 * The layer of a feature map, its directions rebuilt from the map alone, on the backend in use (Featurizing Pretrained
 * Representations, Appendix F.4). In single precision it is within 1e-6 of `featurize`. Throws BAD_INPUT for maps that cannot be
 * and, when applied, for rows of another length.
 */
export function featureLayer(map: FeatureMap): FeatureLayer {
  const { directions, dimension } = map;
  const weights = tf.tidy(() => {
    const rows = tf.tensor2d(Float32Array.from(featureDirections(map)), [directions, dimension]);
    return tf.transpose(rows); // (d, m)
  }) as tf.Tensor2D;
  return {
    map,
    apply: (h) => {
      if (h.shape[1] !== dimension) {
        throw badInput(`h has rows of ${h.shape[1]}; the feature map is for those of ${dimension}`, 'h');
      }
      return tf.tidy(() => {
        const angles = tf.matMul(h, weights);
        const pairs = tf.stack([tf.cos(angles), tf.sin(angles)], 2); // (rows, m, 2)
        return tf.mul(tf.reshape(pairs, [h.shape[0], 2 * directions]), 1 / Math.sqrt(directions));
      }) as tf.Tensor2D;
    },
    dispose: () => weights.dispose(),
  };
}
