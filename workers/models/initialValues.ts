import type { RandomGenerator } from '../math/random/randomGenerator.ts';
import { tf } from '../tensor/tf.ts';
import { type InitialDistribution, initialTable } from './initialTable.ts';

/** The generator of a parameter, by its name: what one network has more of leaves the others' values as they are. */
export type GeneratorOf = (parameter: string) => RandomGenerator;

/** A trainable matrix of these entries. */
export function initialMatrix(
  shape: readonly [rows: number, columns: number],
  distribution: InitialDistribution,
  generator: RandomGenerator,
): tf.Variable<tf.Rank.R2> {
  return variableFrom(shape, initialTable(shape, distribution, generator));
}

/** A trainable tensor with entries uniform in [-bound, bound). */
export function initialUniform<Rank extends tf.Rank>(
  shape: tf.ShapeMap[Rank],
  bound: number,
  generator: RandomGenerator,
): tf.Variable<Rank> {
  return variableOf(shape, () => bound * (2 * generator.nextFloat() - 1));
}

/** A trainable tensor with standard normal entries. */
export function initialNormal<Rank extends tf.Rank>(
  shape: tf.ShapeMap[Rank],
  generator: RandomGenerator,
): tf.Variable<Rank> {
  return variableOf(shape, () => generator.normal());
}

/** A trainable vector of `length` equal entries. */
export function initialConstant(length: number, value: number): tf.Variable<tf.Rank.R1> {
  return variableOf([length], () => value);
}

function variableOf<Rank extends tf.Rank>(shape: readonly number[], draw: () => number): tf.Variable<Rank> {
  const size = shape.reduce((product, extent) => product * extent, 1);
  return variableFrom(shape, Float32Array.from({ length: size }, draw));
}

function variableFrom<Rank extends tf.Rank>(shape: readonly number[], numbers: Float32Array): tf.Variable<Rank> {
  const values = tf.tensor(numbers, [...shape], 'float32');
  const variable = tf.variable(values, true);
  values.dispose();
  return variable as tf.Variable<Rank>;
}
