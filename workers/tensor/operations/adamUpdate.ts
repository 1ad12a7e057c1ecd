import { tf } from '../tf.ts';
import { ADAM_COST, type AdamSlots, adamVariation } from './adamVariation.ts';
import { addScaled } from './addScaled.ts';
import { inPlace, wasmBackendInUse } from './wasmBackendInUse.ts';
import { computeInPlace, webgpuInPlace } from './webgpuInUse.ts';

/** One step of Adam for one parameter. */
export interface AdamStep {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** λ: shrinks the parameter by learningRate × λ where decoupled, else λ × parameter is added to the gradient. */
  readonly weightDecay: number;
  readonly decoupled: boolean;
  /** Steps so far, this one included: from 1. */
  readonly step: number;
}

/** Changes the variation of a parameter before it is applied: a tensor of its shape, which the caller disposes. */
export type Smoothing = (variation: tf.Tensor) => tf.Tensor;

export interface AdamOptions extends AdamStep {
  readonly slots: AdamSlots;
  readonly smoothing?: Smoothing | undefined;
  /** With smoothing: SEvo's correction of rows without gradient (Theorem 3). */
  readonly momentCorrection?: boolean | undefined;
  /** With smoothing: ε within the root, as SEvo's algorithms print it. */
  readonly epsilonInRoot?: boolean | undefined;
}

/**
 * Adam (Kingma and Ba 2015) or AdamW (Loshchilov and Hutter 2019), by PyTorch's formulas, in place: with m and v the running
 * means, p -= learningRate · (m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) + ε). `smoothing` is applied to the fraction: SEvo's Algorithms 1
 * (AdamW, with `momentCorrection`) and 3 (Adam).
 */
export function adamUpdate(parameter: tf.Variable, gradient: tf.Tensor, options: AdamOptions): void {
  const { slots } = options;
  if (options.smoothing) smoothedAdamUpdate(parameter, gradient, { ...options, smoothing: options.smoothing });
  else if (inPlace([parameter, slots.first, slots.second])) fusedAdamUpdate(parameter, gradient, options);
  else if (webgpuInPlace([parameter, slots.first, slots.second])) webgpuAdamUpdate(parameter, gradient, options);
  else composedAdamUpdate(parameter, gradient, options);
}

/** The reference implementation of `adamUpdate` without smoothing, out of tfjs operations. */
export function composedAdamUpdate(
  parameter: tf.Variable,
  gradient: tf.Tensor,
  { slots, ...options }: AdamStep & { slots: AdamSlots },
): void {
  const { learningRate, beta1, beta2, epsilon, weightDecay, decoupled, step } = options;
  tf.tidy(() => {
    const slope = decoupled || weightDecay === 0 ? gradient : tf.add(gradient, tf.mul(parameter, weightDecay));
    const first = tf.add(tf.mul(slots.first, beta1), tf.mul(slope, 1 - beta1));
    const second = tf.add(tf.mul(slots.second, beta2), tf.mul(tf.square(slope), 1 - beta2));
    const root = tf.div(tf.sqrt(second), Math.sqrt(1 - beta2 ** step));
    const variation = tf.div(tf.div(first, 1 - beta1 ** step), tf.add(root, epsilon));
    const kept = decoupled && weightDecay !== 0 ? tf.mul(parameter, 1 - learningRate * weightDecay) : parameter;
    slots.first.assign(first);
    slots.second.assign(second);
    parameter.assign(tf.sub(kept, tf.mul(variation, learningRate)));
  });
}

/**
 * E ← (1 - η λ) E - η ψ(M̂ / (√V̂ + ε)) of SEvo's Algorithm 1, whose decay is not smoothed; in Algorithm 3 it is part of the gradient
 * (docs/errata.md, 19 and 20).
 */
function smoothedAdamUpdate(
  parameter: tf.Variable,
  gradient: tf.Tensor,
  { smoothing, momentCorrection = false, epsilonInRoot = false, ...options }: AdamOptions & { smoothing: Smoothing },
): void {
  const { learningRate, weightDecay, decoupled } = options;
  tf.tidy(() => {
    const penalty = decoupled ? 0 : weightDecay;
    const variation = adamVariation(parameter, gradient, { ...options, penalty, momentCorrection, epsilonInRoot });
    const kept = decoupled ? 1 - learningRate * weightDecay : 1;
    addScaled(parameter, smoothing(variation), { kept, scale: -learningRate });
  });
}

function fusedAdamUpdate(
  parameter: tf.Variable,
  gradient: tf.Tensor,
  { slots, ...options }: AdamStep & { slots: AdamSlots },
): void {
  const { learningRate, beta1, beta2, epsilon, weightDecay, decoupled, step } = options;
  const backend = wasmBackendInUse()!;
  backend.compute(ADAM_COST * parameter.size, 'adamUpdate', {
    parameter: backend.addressOf(parameter),
    gradient: backend.addressOf(gradient),
    first: backend.addressOf(slots.first),
    second: backend.addressOf(slots.second),
    variation: 0,
    count: parameter.size,
    beta1,
    rest1: 1 - beta1,
    beta2,
    rest2: 1 - beta2,
    correction1: 1 / (1 - beta1 ** step),
    correction2: 1 / Math.sqrt(1 - beta2 ** step),
    epsilon,
    penalty: decoupled ? 0 : weightDecay,
    kept: decoupled ? 1 - learningRate * weightDecay : 1,
    rate: learningRate,
  });
}

/** In three operations instead of fifteen, which on a GPU take as long to start as all the rest of a small network's step. */
function webgpuAdamUpdate(
  parameter: tf.Variable,
  gradient: tf.Tensor,
  { slots, ...options }: AdamStep & { slots: AdamSlots },
): void {
  const { learningRate, beta1, beta2, epsilon, weightDecay, decoupled, step } = options;
  const backend = webgpuInPlace([parameter, slots.first, slots.second])!;
  const slope = { gradient, parameter };
  const penalty = decoupled ? 0 : weightDecay;
  const readSlope = 'let slope = gradient[index] + uniforms.penalty * parameter[index];';
  computeInPlace(backend, slots.first, {
    name: 'adamFirst',
    inputs: slope,
    numbers: { decay: beta1, rest: 1 - beta1, penalty },
    body: `${readSlope} result[index] = uniforms.decay * result[index] + uniforms.rest * slope;`,
  });
  computeInPlace(backend, slots.second, {
    name: 'adamSecond',
    inputs: slope,
    numbers: { decay: beta2, rest: 1 - beta2, penalty },
    body: `${readSlope} result[index] = uniforms.decay * result[index] + uniforms.rest * slope * slope;`,
  });
  computeInPlace(backend, parameter, {
    name: 'adamParameter',
    inputs: { first: slots.first, second: slots.second },
    numbers: {
      kept: decoupled ? 1 - learningRate * weightDecay : 1,
      rate: learningRate / (1 - beta1 ** step),
      correction: 1 / Math.sqrt(1 - beta2 ** step),
      epsilon,
    },
    body: 'result[index] = uniforms.kept * result[index] - uniforms.rate * first[index] / (sqrt(second[index]) * uniforms.correction + uniforms.epsilon);',
  });
}
