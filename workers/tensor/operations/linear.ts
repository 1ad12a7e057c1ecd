import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { type Activation, activation, composedActivation } from './activation.ts';
import { differentiable } from './differentiable.ts';
import { expectShape } from './expectShape.ts';
import { type LinearParts, linearGradients, linearValue } from './linearParts.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * x W + b, then the activation where one is given. x [rows, in], weight [in, out], bias [out] or null -> [rows, out].
 */
export function linear(
  x: tf.Tensor2D,
  weight: tf.Tensor2D,
  bias: tf.Tensor1D | null,
  kind: Activation | null = null,
): tf.Tensor2D {
  expectShape('linear', 'x', x, [null, null]);
  expectShape('linear', 'weight', weight, [x.shape[1], null]);
  if (bias) expectShape('linear', 'bias', bias, [weight.shape[1]]);
  const backend = wasmBackendInUse();
  if (!backend) return composedLinear(x, weight, bias, kind);
  const fused = fusedLinear(backend, { x, weight, bias, rectified: kind === 'relu' });
  return kind === null || kind === 'relu' ? fused : activation(fused, kind);
}

function fusedLinear(backend: WasmBackend, parts: LinearParts): tf.Tensor2D {
  const { x, weight, bias, rectified } = parts;
  return differentiable<tf.Tensor2D>(bias ? [x, weight, bias] : [x, weight], (save) => {
    const value = linearValue(backend, parts);
    save(rectified ? [x, weight, value] : [x, weight]);
    return {
      value,
      gradient: (upstream, [input, matrix, rectifiedValue]) =>
        linearGradients(backend, upstream, {
          x: input as tf.Tensor2D,
          weight: matrix as tf.Tensor2D,
          rectifiedValue: rectifiedValue ?? null,
          hasBias: bias !== null,
        }),
    };
  });
}

/** The reference implementation of `linear`, out of tfjs operations. */
export function composedLinear(
  x: tf.Tensor2D,
  weight: tf.Tensor2D,
  bias: tf.Tensor1D | null,
  kind: Activation | null,
): tf.Tensor2D {
  return tf.tidy(() => {
    const product: tf.Tensor2D = tf.matMul(x, weight);
    const shifted: tf.Tensor2D = bias ? tf.add(product, bias) : product;
    return kind ? composedActivation(shifted, kind) : shifted;
  });
}
