import { decayedGradient, defineOptimizer, epsilonSetting, takeOff } from '../optimizer.ts';

/** Adagrad (Duchi, Hazan and Singer 2011): with s the sum of g² over all steps, p -= learningRate · g / (√s + ε). */
export const adagrad = defineOptimizer({
  words: 'steps divided by the root of the sum of all squared gradients',
  settings: () => ({ epsilon: epsilonSetting }),
  refusedElsewhere: {},
  slots: () => ['sum'],
  update: (step) => {
    const { settings, slot, math } = step;
    const slope = decayedGradient(step);
    const sum = slot('sum');
    math.assign(sum, math.add(sum, math.square(slope)));
    takeOff(step, math.divide(slope, math.add(math.squareRoot(sum), settings.epsilon)));
  },
});
