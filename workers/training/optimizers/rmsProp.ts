import { addScaled } from '#workers/tensor/operations/addScaled.ts';
import { tf } from '#workers/tensor/tf.ts';
import type { CommonSettings, Optimizer } from './optimizer.ts';

export interface RmsPropSettings extends CommonSettings {
  /** Decay of the running mean of squared gradients; PyTorch's α. */
  readonly decay: number;
  readonly epsilon: number;
}

/**
 * RMSProp (Tieleman and Hinton 2012): with v the running mean of g², started at 0 and not corrected for that,
 * p -= learningRate · g / (√v + ε).
 */
export const rmsProp: Optimizer<RmsPropSettings> = {
  slots: () => ['square'],
  update: ({ parameter, gradient, settings, own, slot }) => {
    const { learningRate, weightDecay, decay, epsilon } = settings;
    const square = slot('square');
    tf.tidy(() => {
      const slope = weightDecay === 0 ? gradient : tf.add(gradient, tf.mul(parameter, weightDecay));
      square.assign(tf.add(tf.mul(square, decay), tf.mul(tf.square(slope), 1 - decay)));
      const variation = tf.div(slope, tf.add(tf.sqrt(square), epsilon));
      addScaled(parameter, own.smoothing?.(variation) ?? variation, { kept: 1, scale: -learningRate });
    });
  },
};
