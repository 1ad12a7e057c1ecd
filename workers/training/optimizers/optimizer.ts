import type { Smoothing } from '#workers/tensor/operations/adamUpdate.ts';
import type { tf } from '#workers/tensor/tf.ts';

/** What every optimizer is told; PyTorch's meanings throughout. */
export interface CommonSettings {
  readonly learningRate: number;
  /** λ, the pull of parameters towards 0: added to the gradient as λ × parameter, unless the optimizer says otherwise. */
  readonly weightDecay: number;
  /** Longest norm of all gradients of a step together, by which PyTorch's `clip_grad_norm_` scales them; absent, none. */
  readonly maximumGradientNorm?: number | undefined;
}

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

/** One step of one parameter. */
export interface ParameterStep<Settings> {
  readonly parameter: tf.Variable;
  /** Of the parameter's shape; not disposed. */
  readonly gradient: tf.Tensor;
  /** Learning rate and decay are those of this parameter in this step. */
  readonly settings: Settings;
  readonly own: ParameterSettings;
  /** The optimizer's memory of this parameter, of its shape, 0 before the first step. */
  slot(name: string): tf.Variable;
  /** Steps so far, this one included: from 1. */
  readonly step: number;
}

/** A method that moves parameters along their gradients: one file each, listed in `optimizers.ts`. */
export interface Optimizer<Settings extends CommonSettings> {
  /** Names of what it remembers of each parameter. */
  slots(settings: Settings): readonly string[];
  /** Changes the parameter and its memory in place. */
  update(step: ParameterStep<Settings>): void;
}
