import { z } from 'zod';
import { defineOptimizer } from '../optimizer.ts';

/** Gradient descent with momentum; without dampening, not Nesterov's. With smoothing SEvo's Algorithm 2. */
export const sgd = defineOptimizer({
  words: 'gradient descent, with the decay added to the gradient',
  settings: () => ({
    momentum: z
      .number()
      .min(0)
      .lt(1)
      .default(0)
      .describe('Part of the last step that sgd takes again. Default 0. More is smoother and faster. Only sgd has it.'),
  }),
  refusedElsewhere: { momentum: 0 },
  slots: ({ momentum }) => (momentum === 0 ? [] : ['momentum']),
  update: ({ parameter, gradient, settings, own, slot, step, math }) => {
    const { learningRate, weightDecay, momentum } = settings;
    const buffer = momentum === 0 ? null : slot('momentum');
    math.descend(parameter, gradient, { learningRate, weightDecay, momentum, buffer, smoothing: own.smoothing, step });
  },
});
