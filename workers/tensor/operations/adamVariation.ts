import { tf } from '../tf.ts';
import { heapTensor } from './heapTensor.ts';
import { inPlace, wasmBackendInUse } from './wasmBackendInUse.ts';

/** Cost of an element of Adam in floats added, for the choice between one thread and all. */
export const ADAM_COST = 5;

export interface AdamSlots {
  /** Running mean of the gradient, of the parameter's shape. */
  readonly first: tf.Variable;
  /** Running mean of its square. */
  readonly second: tf.Variable;
}

/** What decides the variation of one parameter in one step of Adam. */
export interface AdamVariationStep {
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** Whether ε is added to the mean of squares, as SEvo's algorithms print it, or to its root, as PyTorch does. */
  readonly epsilonInRoot: boolean;
  /** λ × parameter is added to the gradient. */
  readonly penalty: number;
  /** Whether rows whose whole gradient is 0 take what their means expect as gradient (SEvo Theorem 3). */
  readonly momentCorrection: boolean;
  /** Steps so far, this one included: from 1. */
  readonly step: number;
}

/**
 * Moves the running means m and v of Adam in place and returns the variation (m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) + ε), of the
 * parameter's shape. With the correction a row without gradient takes g = m / (1 - β₁ᵗ⁻¹) and g² = v / (1 - β₂ᵗ⁻¹) (SEvo
 * Eqs. 9 and 10; the powers at least 1), so that its variation stays.
 */
export function adamVariation(
  parameter: tf.Variable,
  gradient: tf.Tensor,
  options: AdamVariationStep & { slots: AdamSlots },
): tf.Tensor {
  const { slots } = options;
  return inPlace([slots.first, slots.second])
    ? fused(parameter, gradient, options)
    : composedAdamVariation(parameter, gradient, options);
}

/** The reference implementation of `adamVariation`, out of tfjs operations. */
export function composedAdamVariation(
  parameter: tf.Variable,
  gradient: tf.Tensor,
  { slots, ...options }: AdamVariationStep & { slots: AdamSlots },
): tf.Tensor {
  const { beta1, beta2, penalty, momentCorrection } = options;
  const { idle1, idle2, correction1, correction2, inside, outside } = constants(options);
  return tf.tidy(() => {
    const slope = penalty === 0 ? gradient : tf.add(gradient, tf.mul(parameter, penalty));
    const decays = (): [tf.Tensor | number, tf.Tensor | number] => {
      if (!momentCorrection) return [beta1, beta2];
      const rows = tf.reshape(tf.notEqual(gradient, 0), [gradient.shape[0]!, -1]);
      const column = [gradient.shape[0]!, ...gradient.shape.slice(1).map(() => 1)];
      const active = tf.reshape(tf.cast(tf.any(rows, 1), 'float32'), column);
      return [tf.add(tf.mul(active, beta1 - idle1), idle1), tf.add(tf.mul(active, beta2 - idle2), idle2)];
    };
    const [decay1, decay2] = decays();
    const first = tf.add(tf.mul(slots.first, decay1), tf.mul(slope, 1 - beta1));
    const second = tf.add(tf.mul(slots.second, decay2), tf.mul(tf.square(slope), 1 - beta2));
    slots.first.assign(first);
    slots.second.assign(second);
    const root = tf.sqrt(tf.add(tf.mul(second, correction2), inside));
    return tf.div(tf.mul(first, correction1), tf.add(root, outside));
  });
}

function constants({ beta1, beta2, epsilon, epsilonInRoot, momentCorrection, step }: AdamVariationStep) {
  const before = Math.max(1, step - 1);
  return {
    idle1: momentCorrection ? beta1 + (1 - beta1) / (1 - beta1 ** before) : beta1,
    idle2: momentCorrection ? beta2 + (1 - beta2) / (1 - beta2 ** before) : beta2,
    correction1: 1 / (1 - beta1 ** step),
    correction2: 1 / (1 - beta2 ** step),
    inside: epsilonInRoot ? epsilon : 0,
    outside: epsilonInRoot ? 0 : epsilon,
  };
}

function fused(
  parameter: tf.Variable,
  gradient: tf.Tensor,
  { slots, ...options }: AdamVariationStep & { slots: AdamSlots },
): tf.Tensor {
  const { beta1, beta2, penalty } = options;
  const { idle1, idle2, correction1, correction2, inside, outside } = constants(options);
  const backend = wasmBackendInUse()!;
  const { tensor, address } = heapTensor<tf.Tensor>(backend, parameter.shape);
  const rows = parameter.shape[0] ?? 1;
  backend.compute(ADAM_COST * parameter.size, 'adamVariation', {
    parameter: backend.addressOf(parameter),
    gradient: backend.addressOf(gradient),
    first: backend.addressOf(slots.first),
    second: backend.addressOf(slots.second),
    variation: address,
    rows,
    columns: parameter.size / rows,
    beta1,
    rest1: 1 - beta1,
    idle1,
    beta2,
    rest2: 1 - beta2,
    idle2,
    correction1,
    correction2,
    inside,
    outside,
    penalty,
  });
  return tensor;
}
