import type { Smoothing } from '../../tensor/operations/adamUpdate.ts';

export interface SgdSettings {
  readonly name: 'sgd';
  readonly learningRate: number;
  readonly momentum: number;
  readonly weightDecay: number;
}

export interface AdamSettings {
  readonly name: 'adam' | 'adamw';
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** Added to the gradient by `adam`, decoupled from it in `adamw`. */
  readonly weightDecay: number;
}

/** An optimiser and what it is told; PyTorch's meanings throughout. */
export type OptimizerSettings = SgdSettings | AdamSettings;

/** What is different for one parameter; what is absent is as in the settings. */
export interface ParameterSettings {
  readonly learningRate?: number | undefined;
  readonly weightDecay?: number | undefined;
  /** Applied to the variation of the parameter before it is taken off. */
  readonly smoothing?: Smoothing | undefined;
}
