import { counterBits, counterKey, type DrawCounter } from '#workers/math/random/counterRandom.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/** How far rows are moved, and by which draw. */
export interface SignNoise extends DrawCounter {
  /** Length that each row is moved by, where it has no zeros. */
  readonly size: number;
}

/**
 * x [rows, d] + size · sign(x) ⊙ u / |u|, with u uniform on [0, 1) in each row (J. Yu et al., SIGIR 2022, Eqs. 7 and 8): each
 * row moves by `size` within its orthant. Element i, row by row, has u from `counterBits(counterKey(draw), i)`, the same on every
 * backend. The gradient is that of x.
 */
export function signNoise(x: tf.Tensor2D, noise: SignNoise): tf.Tensor2D {
  const backend = wasmBackendInUse();
  return differentiable<tf.Tensor2D>([x], () => ({
    value: backend ? onWasm(backend, x, noise) : composed(x, noise),
    gradient: (upstream) => [tf.clone(upstream)],
  }));
}

function onWasm(backend: WasmBackend, x: tf.Tensor2D, noise: SignNoise): tf.Tensor2D {
  const [rows, columns] = x.shape;
  const to = backend.allocate(x.shape, 'float32');
  const operands = { x: backend.addressOf(x), y: to.address, rows, columns };
  backend.compute(8 * x.size, 'signNoise', { ...operands, ...counterKey(noise), size: noise.size });
  return tf.engine().makeTensorFromTensorInfo(to.info) as tf.Tensor2D;
}

function composed(x: tf.Tensor2D, noise: SignNoise): tf.Tensor2D {
  const key = counterKey(noise);
  const drawn = Float32Array.from({ length: x.size }, (_, i) => counterBits(key, i) / 2 ** 32);
  const uniform = tf.tensor2d(drawn, x.shape);
  const norms = tf.sqrt(tf.sum(tf.square(uniform), 1, true));
  return tf.add(x, tf.mul(tf.mul(tf.sign(x), tf.div(uniform, norms)), noise.size));
}
