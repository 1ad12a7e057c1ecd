import { tf } from '../tf.ts';
import { differentiable } from './differentiable.ts';

/** Rows that are shorter count as zero. */
const LEAST_NORM = 1e-12;

/** x [rows, d] with each row divided by its Euclidean norm; rows of zeros stay, and have no gradient. */
export function unitRows(x: tf.Tensor2D): tf.Tensor2D {
  return differentiable<tf.Tensor2D>([x], (save) => {
    const norms = tf.sqrt(tf.sum(tf.square(x), 1, true)); // (rows, 1)
    const isLong = tf.cast(tf.greater(norms, LEAST_NORM), 'float32');
    const inverse = tf.div(isLong, tf.maximum(norms, LEAST_NORM));
    const value: tf.Tensor2D = tf.mul(x, inverse);
    save([value, inverse]);
    return {
      value,
      gradient: (upstream, [unit, scale]) => {
        const along = tf.sum(tf.mul(upstream, unit!), 1, true); // (rows, 1)
        return [tf.mul(tf.sub(upstream, tf.mul(unit!, along)), scale!)];
      },
    };
  });
}
