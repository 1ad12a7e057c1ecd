import { addScaled } from '#workers/tensor/operations/addScaled.ts';
import { tf } from '#workers/tensor/tf.ts';
import type { CommonSettings, Optimizer } from './optimizer.ts';

export interface AdagradSettings extends CommonSettings {
  readonly epsilon: number;
}

/** Adagrad (Duchi, Hazan and Singer 2011): with s the sum of g² over all steps, p -= learningRate · g / (√s + ε). */
export const adagrad: Optimizer<AdagradSettings> = {
  slots: () => ['sum'],
  update: ({ parameter, gradient, settings, own, slot }) => {
    const { learningRate, weightDecay, epsilon } = settings;
    const sum = slot('sum');
    tf.tidy(() => {
      const slope = weightDecay === 0 ? gradient : tf.add(gradient, tf.mul(parameter, weightDecay));
      sum.assign(tf.add(sum, tf.square(slope)));
      const variation = tf.div(slope, tf.add(tf.sqrt(sum), epsilon));
      addScaled(parameter, own.smoothing?.(variation) ?? variation, { kept: 1, scale: -learningRate });
    });
  },
};
