import type { TensorMath } from '#src/catalog/optimizers/optimizer.ts';
import { adamUpdate } from '#workers/tensor/operations/adamUpdate.ts';
import { addScaled } from '#workers/tensor/operations/addScaled.ts';
import { sgdUpdate } from '#workers/tensor/operations/sgdUpdate.ts';
import { tf } from '#workers/tensor/tf.ts';

/** The arithmetic of optimizers, by tfjs on the backend in use. */
export const tensorMath: TensorMath = {
  add: (a, b) => tf.add(a, b),
  multiply: (a, b) => tf.mul(a, b),
  divide: (a, b) => tf.div(a, b),
  square: (a) => tf.square(a),
  squareRoot: (a) => tf.sqrt(a),
  assign: (variable, value) => variable.assign(value),
  subtractScaled: (variable, variation, rate) => addScaled(variable, variation, { kept: 1, scale: -rate }),
  adam: adamUpdate,
  descend: sgdUpdate,
};
