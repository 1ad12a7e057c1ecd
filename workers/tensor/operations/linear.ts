import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { type Activation, activation, activationGradient, composedActivation } from './activation.ts';
import { differentiable } from './differentiable.ts';
import { expectShape } from './expectShape.ts';
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

interface FusedLinear {
  readonly x: tf.Tensor2D;
  readonly weight: tf.Tensor2D;
  readonly bias: tf.Tensor1D | null;
  /** Whether ReLU follows, in the same pass. */
  readonly rectified: boolean;
}

function fusedLinear(backend: WasmBackend, { x, weight, bias, rectified }: FusedLinear): tf.Tensor2D {
  return differentiable<tf.Tensor2D>(bias ? [x, weight, bias] : [x, weight], (save) => {
    const attributes = { transposeA: false, transposeB: false, activation: rectified ? 'relu' : 'linear' };
    const value = tf
      .engine()
      .runKernel('_FusedMatMul', bias ? { a: x, b: weight, bias } : { a: x, b: weight }, attributes) as tf.Tensor2D;
    save(rectified ? [x, weight, value] : [x, weight]);
    return {
      value,
      gradient: (upstream, [input, matrix, rectifiedValue]) => {
        const given = rectifiedValue ? activationGradient(backend, 'relu', rectifiedValue, upstream) : upstream;
        const gradients = [tf.matMul(given, matrix!, false, true), tf.matMul(input!, given, true, false)];
        return bias ? [...gradients, tf.sum(given, 0)] : gradients;
      },
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
