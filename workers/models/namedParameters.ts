import type { Activation } from '../tensor/operations/activation.ts';
import { layerNorm } from '../tensor/operations/layerNorm.ts';
import { linear } from '../tensor/operations/linear.ts';
import type { tf } from '../tensor/tf.ts';

/** What a network trains, by name. */
export type Parameters = ReadonlyMap<string, tf.Variable>;

/** The matrix of that name, which the network's `init` made. */
export function matrixOf(parameters: Parameters, name: string): tf.Variable<tf.Rank.R2> {
  return parameters.get(name) as tf.Variable<tf.Rank.R2>;
}

/** The vector of that name, which the network's `init` made. */
export function vectorOf(parameters: Parameters, name: string): tf.Variable<tf.Rank.R1> {
  return parameters.get(name) as tf.Variable<tf.Rank.R1>;
}

/** [rows, out] x times `name/weight` plus `name/bias`, then the activation where one is given. x [rows, in]. */
export function affine(
  parameters: Parameters,
  name: string,
  x: tf.Tensor2D,
  activation: Activation | null = null,
): tf.Tensor2D {
  return linear(x, matrixOf(parameters, `${name}/weight`), vectorOf(parameters, `${name}/bias`), activation);
}

/** Layer normalisation of x [rows, d] by `name/gain` and `name/bias`. */
export function normalised(parameters: Parameters, name: string, x: tf.Tensor2D, epsilon: number): tf.Tensor2D {
  return layerNorm(x, vectorOf(parameters, `${name}/gain`), vectorOf(parameters, `${name}/bias`), epsilon);
}
