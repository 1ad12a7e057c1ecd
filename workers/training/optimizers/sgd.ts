import { sgdUpdate } from '#workers/tensor/operations/sgdUpdate.ts';
import type { CommonSettings, Optimizer } from './optimizer.ts';

export interface SgdSettings extends CommonSettings {
  readonly momentum: number;
}

/** Gradient descent with momentum; without dampening, not Nesterov's. */
export const sgd: Optimizer<SgdSettings> = {
  slots: ({ momentum }) => (momentum === 0 ? [] : ['momentum']),
  update: ({ parameter, gradient, settings, own, slot, step }) => {
    const { learningRate, weightDecay, momentum } = settings;
    const buffer = momentum === 0 ? null : slot('momentum');
    sgdUpdate(parameter, gradient, { learningRate, weightDecay, momentum, buffer, smoothing: own.smoothing, step });
  },
};
