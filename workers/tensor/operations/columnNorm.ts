import { tf } from '../tf.ts';
import { differentiable } from './differentiable.ts';

/** Mean and variance (biased) of each column, [d] each. */
export interface ColumnMoments {
  readonly mean: tf.Tensor1D;
  readonly variance: tf.Tensor1D;
}

/**
 * x [rows, d] with each column less its mean and divided by its standard deviation over these rows: batch normalisation (S. Ioffe and
 * C. Szegedy, ICML 2015) before its gain and bias. `epsilon` is added to the variance.
 */
export function columnNorm(x: tf.Tensor2D, epsilon: number): tf.Tensor2D {
  return differentiable<tf.Tensor2D>([x], (save) => {
    const { mean, variance } = tf.moments(x, 0);
    const scale = tf.rsqrt(tf.add(variance, epsilon));
    const value: tf.Tensor2D = tf.mul(tf.sub(x, mean), scale);
    save([value, scale]);
    return {
      value,
      gradient: (upstream, [normal, factor]) => {
        const along = tf.mul(normal!, tf.mean(tf.mul(upstream, normal!), 0));
        return [tf.mul(tf.sub(tf.sub(upstream, tf.mean(upstream, 0)), along), factor!)];
      },
    };
  });
}

/** The same by moments that are known; not differentiated through them. */
export function columnNormBy(x: tf.Tensor2D, { mean, variance }: ColumnMoments, epsilon: number): tf.Tensor2D {
  return tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, epsilon)));
}
