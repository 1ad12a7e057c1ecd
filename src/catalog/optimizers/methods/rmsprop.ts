import { z } from 'zod';
import { decayedGradient, defineOptimizer, epsilonSetting, takeOff } from '../optimizer.ts';

/** Where the decay is left out: PyTorch's α. */
const DECAY = 0.99;

/**
 * RMSProp (Tieleman and Hinton 2012): with v the running mean of g², started at 0 and not corrected for that,
 * p -= learningRate · g / (√v + ε).
 */
export const rmsprop = defineOptimizer({
  words: 'steps divided by the root of a running mean of squared gradients',
  settings: () => ({
    // No default: configurations that do not name what came later keep their hash.
    decay: z
      .number()
      .min(0)
      .lt(1)
      .optional()
      .meta({ default: DECAY })
      .describe(
        `Decay of rmsprop’s running mean of squared gradients. Left out, ${DECAY}. More forgets large gradients later. Only rmsprop has it.`,
      ),
    epsilon: epsilonSetting,
  }),
  refusedElsewhere: { decay: undefined },
  slots: () => ['square'],
  update: (step) => {
    const { settings, slot, math } = step;
    const { decay = DECAY, epsilon } = settings;
    const slope = decayedGradient(step);
    const square = slot('square');
    math.assign(square, math.add(math.multiply(square, decay), math.multiply(math.square(slope), 1 - decay)));
    takeOff(step, math.divide(slope, math.add(math.squareRoot(square), epsilon)));
  },
});
