import type { RandomGenerator } from '../math/randomGenerator.ts';
import { tf } from '../tensor/tf.ts';

/** The generator of a parameter, by its name: what one network has more of leaves the others' values as they are. */
export type GeneratorOf = (parameter: string) => RandomGenerator;

/** What the entries of a matrix [rows, columns] are drawn from before training. */
export type InitialDistribution =
  | { readonly method: 'xavier-normal' | 'xavier-uniform' }
  /** Mean 0; the uniform one on ±√3 times the deviation. */
  | { readonly method: 'normal' | 'uniform'; readonly deviation: number };

/**
 * A trainable matrix drawn from `distribution`. Xavier (Glorot and Bengio, 2010): variance 2 / (rows + columns).
 */
export function initialMatrix(
  shape: readonly [rows: number, columns: number],
  distribution: InitialDistribution,
  generator: RandomGenerator,
): tf.Variable<tf.Rank.R2> {
  const { method } = distribution;
  const isOwn = distribution.method === 'normal' || distribution.method === 'uniform';
  const deviation = isOwn ? distribution.deviation : Math.sqrt(2 / (shape[0] + shape[1]));
  const isNormal = method === 'normal' || method === 'xavier-normal';
  const halfWidth = Math.sqrt(3) * deviation;
  return variableOf(shape, () =>
    isNormal ? deviation * generator.normal() : halfWidth * (2 * generator.nextFloat() - 1),
  );
}

/** A trainable tensor with entries uniform in [-bound, bound). */
export function initialUniform<Rank extends tf.Rank>(
  shape: tf.ShapeMap[Rank],
  bound: number,
  generator: RandomGenerator,
): tf.Variable<Rank> {
  return variableOf(shape, () => bound * (2 * generator.nextFloat() - 1));
}

/** A trainable vector of `length` equal entries. */
export function initialConstant(length: number, value: number): tf.Variable<tf.Rank.R1> {
  return variableOf([length], () => value);
}

function variableOf<Rank extends tf.Rank>(shape: readonly number[], draw: () => number): tf.Variable<Rank> {
  const size = shape.reduce((product, extent) => product * extent, 1);
  const values = tf.tensor(Float32Array.from({ length: size }, draw), [...shape], 'float32');
  const variable = tf.variable(values, true);
  values.dispose();
  return variable as tf.Variable<Rank>;
}
