import { z } from 'zod';
import { defineOptimizer, epsilonSetting, type SettingDefaults } from './optimizer.ts';

const adamSettings = ({ beta2 }: SettingDefaults) => ({
  beta1: z
    .number()
    .min(0)
    .lt(1)
    .default(0.9)
    .describe(
      'Adam’s decay of the running mean of gradients. Default 0.9. More is smoother. Only adam and adamw use it.',
    ),
  beta2: z
    .number()
    .min(0)
    .lt(1)
    .default(beta2)
    .describe(
      `Adam’s decay of the running mean of their squares. Default ${beta2}. More forgets large gradients later. Only adam and adamw use it.`,
    ),
  epsilon: epsilonSetting,
});

/** Adam with a decay that is part of the gradient, or decoupled from it; with smoothing SEvo's Algorithm 3, or 1. */
export function adamBy({ decoupled, words }: { decoupled: boolean; words: string }) {
  return defineOptimizer({
    words,
    settings: adamSettings,
    refusedElsewhere: {},
    slots: () => ['first', 'second'],
    update: ({ parameter, gradient, settings, own, slot, step, math }) => {
      const { learningRate, weightDecay, beta1, beta2, epsilon } = settings;
      const { smoothing, epsilonInRoot } = own;
      const momentCorrection = decoupled && own.momentCorrection === true;
      const slots = { first: slot('first'), second: slot('second') };
      const moments = { beta1, beta2, epsilon, slots, momentCorrection, epsilonInRoot };
      math.adam(parameter, gradient, { ...moments, learningRate, weightDecay, decoupled, smoothing, step });
    },
  });
}
