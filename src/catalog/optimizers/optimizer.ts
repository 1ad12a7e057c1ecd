// Types alone: what runs the API never loads tfjs.
import type { Tensor, Variable } from '@tensorflow/tfjs-core';
import { z } from 'zod';

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
  /** Applied to the variation of the parameter before it is taken off: a tensor of its shape. */
  readonly smoothing?: ((variation: Tensor) => Tensor) | undefined;
  /** Of `adamw` with smoothing: rows without gradient go on as their means expect (SEvo, Theorem 3). */
  readonly momentCorrection?: boolean | undefined;
  /** Of Adam with smoothing: ε is added within the root, as SEvo's algorithms print it, not outside. */
  readonly epsilonInRoot?: boolean | undefined;
}

/**
 * The arithmetic that optimizers are written in, given by the worker: `workers/training/optimizers/tensorMath.ts`. What it
 * makes within a step is let go of after it.
 */
export interface TensorMath {
  add(a: Tensor, b: Tensor | number): Tensor;
  multiply(a: Tensor, b: Tensor | number): Tensor;
  divide(a: Tensor, b: Tensor | number): Tensor;
  square(a: Tensor): Tensor;
  squareRoot(a: Tensor): Tensor;
  assign(variable: Variable, value: Tensor): void;
  /** variable -= rate × variation */
  subtractScaled(variable: Variable, variation: Tensor, rate: number): void;
  /** Adam's step, in one pass over the memory where the backend can. */
  adam(variable: Variable, gradient: Tensor, options: AdamStep): void;
  /** Gradient descent's step, likewise. */
  descend(variable: Variable, gradient: Tensor, options: DescentStep): void;
}

interface AdamStep extends Omit<ParameterSettings, 'learningRate' | 'weightDecay'> {
  readonly learningRate: number;
  readonly weightDecay: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** Whether the decay shrinks the parameter, or is added to the gradient. */
  readonly decoupled: boolean;
  readonly slots: { readonly first: Variable; readonly second: Variable };
  readonly step: number;
}

interface DescentStep extends Pick<ParameterSettings, 'smoothing'> {
  readonly learningRate: number;
  readonly weightDecay: number;
  readonly momentum: number;
  /** Of the momentum; null where that is 0. */
  readonly buffer: Variable | null;
  readonly step: number;
}

/** One step of one parameter. */
export interface ParameterStep<Settings> {
  readonly parameter: Variable;
  /** Of the parameter's shape; not disposed. */
  readonly gradient: Tensor;
  /** Learning rate and decay are those of this parameter in this step. */
  readonly settings: Settings;
  readonly own: ParameterSettings;
  /** The optimizer's memory of this parameter, of its shape, 0 before the first step. */
  slot(name: string): Variable;
  /** Steps so far, this one included: from 1. */
  readonly step: number;
  readonly math: TensorMath;
}

/** Defaults in which kinds differ. */
export interface SettingDefaults {
  beta2: number;
}

/** All of one optimizer: a file each in `methods`, which has and exports the optimizer's name in configurations. PyTorch's formulas. */
export interface Optimizer<Shape extends z.ZodRawShape> {
  /** What it does, for descriptions. */
  readonly words: string;
  /** Its settings beside those that all have. One that several have is the same schema in each. */
  settings(defaults: SettingDefaults): Shape;
  /** Those of its settings that other methods refuse, each with the value that stands for none. */
  readonly refusedElsewhere: Readonly<Record<string, number | undefined>>;
  /** Names of what it remembers of each parameter. */
  slots(settings: OwnSettings<Shape>): readonly string[];
  /** Changes the parameter and its memory in place. */
  update(step: ParameterStep<CommonSettings & OwnSettings<Shape>>): void;
}

export type OwnSettings<Shape extends z.ZodRawShape> = Readonly<z.output<z.ZodObject<Shape>>>;

/** The optimizer as it is, its settings typed by their schema. */
export function defineOptimizer<Shape extends z.ZodRawShape>(optimizer: Optimizer<Shape>): Optimizer<Shape> {
  return optimizer;
}

/** The gradient with the decay added to it. */
export function decayedGradient({
  parameter,
  gradient,
  settings: { weightDecay },
  math,
}: Pick<ParameterStep<CommonSettings>, 'parameter' | 'gradient' | 'settings' | 'math'>): Tensor {
  return weightDecay === 0 ? gradient : math.add(gradient, math.multiply(parameter, weightDecay));
}

/** Takes the variation off, smoothed where the parameter is. */
export function takeOff(
  { parameter, settings, own, math }: Omit<ParameterStep<CommonSettings>, 'gradient'>,
  variation: Tensor,
): void {
  math.subtractScaled(parameter, own.smoothing?.(variation) ?? variation, settings.learningRate);
}

/** ε of the methods that divide by a root. */
export const epsilonSetting = z
  .number()
  .positive()
  .max(1)
  .default(1e-8)
  .describe(
    'Added to the root that steps are divided by. Default 1e-8. More damps parameters with small gradients. Not used by sgd.',
  );
