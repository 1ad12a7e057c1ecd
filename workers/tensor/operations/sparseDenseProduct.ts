import type { SparseRows, SparseTensor } from '../sparseTensor.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import { expectShape } from './expectShape.ts';
import { heapTensor } from './heapTensor.ts';
import { type TensorflowBackend, tensorflowInUse } from './tensorflowInUse.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * A x for a constant sparse A (rows, columns) and x [columns, d]: [rows, d], differentiable in x by the transpose. On wasm
 * each row is summed in the order of its entries, whatever the number of threads. Throws BAD_INPUT for another number of rows.
 */
export function sparseDenseProduct(matrix: SparseTensor, x: tf.Tensor2D): tf.Tensor2D {
  expectShape('sparseDenseProduct', 'x', x, [matrix.plain.shape[1], null]);
  return differentiable<tf.Tensor2D>([x], () => ({
    value: sparseRowsProduct(matrix.plain, x),
    gradient: (upstream) => [sparseRowsProduct(matrix.transposed, upstream as tf.Tensor2D)],
  }));
}

/** A x, not differentiable. */
export function sparseRowsProduct(rows: SparseRows, x: tf.Tensor2D): tf.Tensor2D {
  const backend = wasmBackendInUse();
  if (backend) return fused(backend, rows, x);
  const tensorflow = tensorflowInUse();
  return tensorflow && rows.values.size > 0 ? onTensorflow(tensorflow, rows, x) : composedSparseRowsProduct(rows, x);
}

/** The reference implementation of `sparseDenseProduct`, out of tfjs operations; it makes a matrix (entries, d). */
export function composedSparseDenseProduct(matrix: SparseTensor, x: tf.Tensor2D): tf.Tensor2D {
  return differentiable<tf.Tensor2D>([x], () => ({
    value: composedSparseRowsProduct(matrix.plain, x),
    gradient: (upstream) => [composedSparseRowsProduct(matrix.transposed, upstream as tf.Tensor2D)],
  }));
}

function fused(
  backend: WasmBackend,
  { shape, shares, offsets, columns, values }: SparseRows,
  x: tf.Tensor2D,
): tf.Tensor2D {
  const width = x.shape[1];
  const { tensor, address } = heapTensor<tf.Tensor2D>(backend, [shape[0], width]);
  const operands = backend.addressesOf({ shares, offsets, indices: columns, values, x });
  backend.kernels.run('sparseProduct32', { ...operands, y: address, width });
  return tensor;
}

/** TensorFlow's own product, which makes no matrix (entries, d) on the way. */
function onTensorflow(backend: TensorflowBackend, { shape, columns, rows, values }: SparseRows, x: tf.Tensor2D) {
  const { binding } = backend;
  const { TF_ATTR_TYPE, TF_ATTR_BOOL, TF_FLOAT, TF_INT32, TF_INT64 } = binding;
  const attributes = [
    { name: 'T', type: TF_ATTR_TYPE, value: TF_FLOAT },
    { name: 'Tindices', type: TF_ATTR_TYPE, value: TF_INT32 },
    { name: 'adjoint_a', type: TF_ATTR_BOOL, value: false },
    { name: 'adjoint_b', type: TF_ATTR_BOOL, value: false },
  ];
  return tf.tidy(() => {
    const places = tf.concat([rows, tf.expandDims(columns, 1)], 1); // (entries, 2)
    const [placed, entries, given] = backend.getInputTensorIds([places, values, x]) as [number, number, number];
    // 64-bit integers, low half first
    const size = binding.createTensor([2], TF_INT64, Int32Array.of(shape[0], 0, shape[1], 0));
    try {
      const [made] = binding.executeOp('SparseTensorDenseMatMul', attributes, [placed, entries, size, given], 1);
      return backend.createOutputTensor(made!) as tf.Tensor2D;
    } finally {
      binding.deleteTensor(size);
    }
  });
}

/** The reference implementation of `sparseRowsProduct`, out of tfjs operations. */
export function composedSparseRowsProduct({ shape, columns, rows, values }: SparseRows, x: tf.Tensor2D): tf.Tensor2D {
  if (values.size === 0) return tf.zeros([shape[0], x.shape[1]]);
  const terms = tf.mul(tf.gather(x, columns), tf.expandDims(values, 1));
  return tf.scatterND(rows, terms, [shape[0], x.shape[1]]) as tf.Tensor2D;
}
