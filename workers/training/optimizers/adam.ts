import { adamUpdate } from '#workers/tensor/operations/adamUpdate.ts';
import type { CommonSettings, Optimizer } from './optimizer.ts';

export interface AdamSettings extends CommonSettings {
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
}

/** Adam with a decay that is part of the gradient, or decoupled from it. */
export function adamBy({ decoupled }: { decoupled: boolean }): Optimizer<AdamSettings> {
  return {
    slots: () => ['first', 'second'],
    update: ({ parameter, gradient, settings, own, slot, step }) => {
      const { learningRate, weightDecay, beta1, beta2, epsilon } = settings;
      const { smoothing, epsilonInRoot } = own;
      const momentCorrection = decoupled && own.momentCorrection === true;
      const slots = { first: slot('first'), second: slot('second') };
      const moments = { beta1, beta2, epsilon, slots, momentCorrection, epsilonInRoot };
      adamUpdate(parameter, gradient, { ...moments, learningRate, weightDecay, decoupled, smoothing, step });
    },
  };
}

/** Adam: D. P. Kingma and J. Ba, ICLR 2015. */
export const adam = adamBy({ decoupled: false });
