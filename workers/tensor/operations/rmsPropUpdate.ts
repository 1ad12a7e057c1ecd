import { tf } from '../tf.ts';

/** One step of RMSProp for one parameter. */
export interface RmsPropOptions {
  readonly learningRate: number;
  /** Decay of the running mean of squared gradients; PyTorch's α. */
  readonly decay: number;
  readonly epsilon: number;
  /** Running mean of the squared gradient, of the parameter's shape. */
  readonly square: tf.Variable;
}

/**
 * RMSProp (Tieleman and Hinton 2012), by PyTorch's formulas, in place: with v the running mean of g², started at 0 and not
 * corrected for that, p -= learningRate · g / (√v + ε).
 */
export function rmsPropUpdate(
  parameter: tf.Variable,
  gradient: tf.Tensor,
  { learningRate, decay, epsilon, square }: RmsPropOptions,
): void {
  tf.tidy(() => {
    square.assign(tf.add(tf.mul(square, decay), tf.mul(tf.square(gradient), 1 - decay)));
    const variation = tf.div(gradient, tf.add(tf.sqrt(square), epsilon));
    parameter.assign(tf.sub(parameter, tf.mul(variation, learningRate)));
  });
}
