import type { Smoothing } from '../../tensor/operations/adamUpdate.ts';

interface CommonSettings {
  /** Longest norm of all gradients of a step together, by which PyTorch's `clip_grad_norm_` scales them; absent, none. */
  readonly maximumGradientNorm?: number | undefined;
}

export interface SgdSettings extends CommonSettings {
  readonly name: 'sgd';
  readonly learningRate: number;
  readonly momentum: number;
  readonly weightDecay: number;
}

export interface AdamSettings extends CommonSettings {
  readonly name: 'adam' | 'adamw';
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** Added to the gradient by `adam`, decoupled from it in `adamw`. */
  readonly weightDecay: number;
}

export interface RmsPropSettings extends CommonSettings {
  readonly name: 'rmsprop';
  readonly learningRate: number;
  /** Decay of the running mean of squared gradients; PyTorch's α. */
  readonly decay: number;
  readonly epsilon: number;
}

/** An optimiser and what it is told; PyTorch's meanings throughout. */
export type OptimizerSettings = SgdSettings | AdamSettings | RmsPropSettings;

/** What is different for one parameter; what is absent is as in the settings. */
export interface ParameterSettings {
  readonly learningRate?: number | undefined;
  readonly weightDecay?: number | undefined;
  /** Applied to the variation of the parameter before it is taken off. */
  readonly smoothing?: Smoothing | undefined;
  /** Of `adamw` with smoothing: rows without gradient go on as their means expect (SEvo, Theorem 3). */
  readonly momentCorrection?: boolean | undefined;
  /** Of Adam with smoothing: ε is added within the root, as SEvo's algorithms print it, not outside. */
  readonly epsilonInRoot?: boolean | undefined;
}
