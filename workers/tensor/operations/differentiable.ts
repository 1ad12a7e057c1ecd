import { tf } from '../tf.ts';

/** What a fused operation computes: its value, and the gradients of its inputs, in their order. */
export interface Differentiable {
  value: tf.Tensor;
  /** `saved` are the tensors given to `save`, in order: the inputs themselves may be gone by then. */
  gradient(upstream: tf.Tensor, saved: readonly tf.Tensor[]): tf.Tensor[];
}

/**
 * An operation with a gradient of its own, recorded by `tf.variableGrads` as one node. `forward` keeps with `save` what
 * the gradient needs; nothing is kept where nobody differentiates. Intermediates of both are disposed.
 */
export function differentiable<Output extends tf.Tensor>(
  inputs: readonly tf.Tensor[],
  forward: (save: (tensors: tf.Tensor[]) => void) => Differentiable,
): Output {
  const operation = tf.customGrad((...parameters) => {
    const save = parameters.at(-1) as tf.GradSaveFunc;
    const { value, gradient } = forward(save);
    return { value, gradFunc: (upstream: tf.Tensor, saved: tf.Tensor[]) => gradient(upstream, saved) };
  });
  return operation(...inputs) as Output;
}
