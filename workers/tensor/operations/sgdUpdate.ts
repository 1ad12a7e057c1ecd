import { tf } from '../tf.ts';
import type { Smoothing } from './adamUpdate.ts';
import { inPlace, wasmBackendInUse } from './wasmBackendInUse.ts';

/** One step of gradient descent for one parameter. */
export interface SgdStep {
  readonly learningRate: number;
  readonly momentum: number;
  /** λ × parameter is added to the gradient. */
  readonly weightDecay: number;
  /** Steps so far, this one included: from 1. The first one starts the buffer with the gradient. */
  readonly step: number;
}

interface SgdOptions extends SgdStep {
  /** Buffer of the momentum, of the parameter's shape; null without momentum. */
  readonly buffer: tf.Variable | null;
  readonly smoothing?: Smoothing | undefined;
}

/**
 * Gradient descent with momentum by PyTorch's formulas (no dampening, not Nesterov's), in place: with g' = g + λ p,
 * b = μ b + g' (b = g' at the first step), p -= learningRate · b. `smoothing` is applied to b: SEvo's Algorithm 2.
 */
export function sgdUpdate(parameter: tf.Variable, gradient: tf.Tensor, options: SgdOptions): void {
  if (inPlace(options.buffer ? [parameter, options.buffer] : [parameter])) fusedSgdUpdate(parameter, gradient, options);
  else composedSgdUpdate(parameter, gradient, options);
}

/** The reference implementation of `sgdUpdate`, out of tfjs operations. */
export function composedSgdUpdate(parameter: tf.Variable, gradient: tf.Tensor, options: SgdOptions): void {
  const { learningRate, momentum, weightDecay, step, buffer, smoothing } = options;
  tf.tidy(() => {
    let variation = weightDecay === 0 ? gradient : tf.add(gradient, tf.mul(parameter, weightDecay));
    if (buffer) {
      if (step > 1) variation = tf.add(tf.mul(buffer, momentum), variation);
      buffer.assign(variation === gradient ? tf.clone(variation) : variation);
    }
    const smoothed = smoothing ? smoothing(variation) : variation;
    parameter.assign(tf.sub(parameter, tf.mul(smoothed, learningRate)));
  });
}

function fusedSgdUpdate(parameter: tf.Variable, gradient: tf.Tensor, options: SgdOptions): void {
  const { learningRate, momentum, weightDecay, step, buffer, smoothing } = options;
  const backend = wasmBackendInUse()!;
  const update = (variation: number) =>
    backend.compute(2 * parameter.size, 'sgdUpdate', {
      parameter: backend.addressOf(parameter),
      gradient: backend.addressOf(gradient),
      buffer: buffer ? backend.addressOf(buffer) : 0,
      variation,
      count: parameter.size,
      momentum: step > 1 ? momentum : 0,
      penalty: weightDecay,
      rate: learningRate,
    });
  if (!smoothing) {
    update(0);
    return;
  }
  tf.tidy(() => {
    const variation = backend.allocate(parameter.shape, 'float32');
    const tensor = tf.engine().makeTensorFromTensorInfo(variation.info);
    update(variation.address);
    const smoothed = smoothing(tensor);
    const to = backend.addressOf(parameter);
    backend.compute(parameter.size, 'addScaled', to, backend.addressOf(smoothed), parameter.size, 1, -learningRate);
  });
}
