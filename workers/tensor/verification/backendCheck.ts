import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '../tf.ts';

/** One thing that every backend must compute alike. */
export interface BackendCheck {
  name: string;
  /** The largest deviation that passes, as a share of the largest expected magnitude, or of 1 where that is less. */
  tolerance: number;
  /** Computes values and gradients on the backend in use; the caller disposes them. */
  compute(): tf.Tensor[];
  /** The right numbers, from a plain reference implementation in float64; where there is none, the `cpu` backend's are taken for right. */
  expected?(): ArrayLike<number>[];
}

/** Normal numbers of deviation `scale`, the same for the same seed, rounded to float32 as every backend takes them. */
export function normalNumbers(count: number, seed: number, scale = 1): Float32Array {
  const generator = randomGenerator(seed, 'backend checks');
  return Float32Array.from({ length: count }, () => scale * generator.normal());
}

/** `normalNumbers` as a tensor of this shape. */
export function normalTensor<Shaped extends tf.Tensor>(shape: number[], seed: number, scale = 1): Shaped {
  const count = shape.reduce((size, extent) => size * extent, 1);
  return tf.tensor(normalNumbers(count, seed, scale), shape) as Shaped;
}

/**
 * The value of `operation` at `inputs`, and the gradients in each of them of the sum of the value's elements, each times a
 * fixed random number: a gradient that is wrong anywhere shows.
 */
export function valueAndGradients<Inputs extends tf.Tensor[]>(
  operation: (...inputs: Inputs) => tf.Tensor,
  inputs: Inputs,
): tf.Tensor[] {
  return tf.tidy(() => {
    const value = operation(...inputs);
    const upstream = normalTensor(value.shape, 99);
    const gradients = tf.grads((...given: tf.Tensor[]) => operation(...(given as Inputs)))(inputs, upstream);
    return [value, ...gradients];
  });
}
