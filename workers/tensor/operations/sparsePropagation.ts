import type { SparseTensor } from '../sparseTensor.ts';
import { tf } from '../tf.ts';
import { expectShape } from './expectShape.ts';
import { heapTensor } from './heapTensor.ts';
import { composedSparseRowsProduct, sparseRowsProduct } from './sparseDenseProduct.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/** y_0 = `start` x, y_l = `beta` A y_{l-1} + `own` x. */
export interface PropagationLayers {
  readonly start: number;
  readonly own: number;
  readonly beta: number;
  readonly layers: number;
}

/**
 * y_L of `layers` layers of message passing over a square A: [nodes, d], for which no gradient is known. On wasm each layer is
 * one fused product and all share two buffers. Throws BAD_INPUT where x [nodes, d] has not a row a node.
 */
export function sparsePropagation(matrix: SparseTensor, x: tf.Tensor2D, layers: PropagationLayers): tf.Tensor2D {
  expectShape('sparsePropagation', 'x', x, [matrix.plain.shape[0], null]);
  if (!wasmBackendInUse()) return composedSparsePropagation(matrix, x, layers, sparseRowsProduct);
  return tf.tidy(() => fused(matrix, x, layers));
}

/** The reference implementation of `sparsePropagation`, out of tfjs operations; `product` is that of a sparse matrix and a dense one. */
export function composedSparsePropagation(
  matrix: SparseTensor,
  x: tf.Tensor2D,
  { start, own, beta, layers }: PropagationLayers,
  product: typeof sparseRowsProduct = composedSparseRowsProduct,
): tf.Tensor2D {
  return tf.tidy(() => {
    let y = tf.mul(x, start) as tf.Tensor2D;
    const kept = tf.mul(x, own);
    for (let layer = 0; layer < layers; layer++) {
      y = tf.add(tf.mul(product(matrix.plain, y), beta), kept);
    }
    return y;
  });
}

/**
 * The fixed point of y = `beta` A y + (1 - `beta`) x for a symmetric A with eigenvalues within ±1, by `steps` of Chebyshev's
 * semi-iteration (Golub and Varga 1961), which no product decides: [nodes, d]. Throws BAD_INPUT as `sparsePropagation`.
 */
export function sparseFixedPoint(
  matrix: SparseTensor,
  x: tf.Tensor2D,
  { beta, steps }: { beta: number; steps: number },
): tf.Tensor2D {
  return tf.tidy(() => {
    let before = tf.clone(x);
    let y = sparsePropagation(matrix, x, { start: 1, own: 1 - beta, beta, layers: Math.min(steps, 1) });
    let omega = 2;
    for (let step = 1; step < steps; step++) {
      omega = 1 / (1 - (beta * beta * omega) / 4);
      const next = tf.tidy(() => {
        const blended = tf.add(tf.mul(x, omega * (1 - beta)), tf.mul(before, 1 - omega)) as tf.Tensor2D;
        const passed = sparsePropagation(matrix, y, { start: omega * beta, own: 0, beta: 1, layers: 1 });
        return tf.add(passed, blended) as tf.Tensor2D;
      });
      before.dispose();
      [before, y] = [y, next];
    }
    return y;
  });
}

function fused({ plain }: SparseTensor, x: tf.Tensor2D, { start, own, beta, layers }: PropagationLayers): tf.Tensor2D {
  if (layers === 0) return tf.mul(x, start);
  const backend = wasmBackendInUse()!;
  const [rows, width] = x.shape;
  const { shares, offsets, columns, values } = plain;
  const matrix = backend.addressesOf({ shares, offsets, indices: columns, values });
  const result = heapTensor<tf.Tensor2D>(backend, [rows, width]);
  const spare = layers === 1 ? null : heapTensor<tf.Tensor2D>(backend, [rows, width]);
  const given = backend.addressOf(x);
  let from = given;
  for (let layer = 0; layer < layers; layer++) {
    const isResult = (layers - layer) % 2 === 1;
    const to = isResult ? result.address : spare!.address;
    const alpha = layer === 0 ? beta * start : beta;
    backend.kernels.run('sparsePropagation32', { ...matrix, x: from, z: given, y: to, width, alpha, gamma: own });
    from = to;
  }
  return result.tensor;
}
