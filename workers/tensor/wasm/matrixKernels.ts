import * as operation from '#workers/wasm/fields/elementwiseFields.ts';
import { NO_ACTIVATION, PACKED_BYTES, RELU_ACTIVATION } from '#workers/wasm/fields/matrixFields.ts';
import { tf } from '../tf.ts';
import { input, isFloat, type KernelCall, type OwnKernel, sizeOf } from './ownKernel.ts';

interface Epilogue {
  bias: tf.TensorInfo | undefined;
  activation: string;
}

/** The matrix product of the last two dimensions, each operand plain or transposed; dimensions before are a batch. */
function product(call: KernelCall, { bias, activation }: Epilogue): tf.TensorInfo | null {
  const { backend, attributes } = call;
  const a = input(call, 'a');
  const b = input(call, 'b');
  if (!isFloat(a, b)) return null;
  const [transposeA, transposeB] = [attributes.transposeA === true, attributes.transposeB === true];
  const [aHeight, aWidth] = a.shape.slice(-2) as [number, number];
  const [bHeight, bWidth] = b.shape.slice(-2) as [number, number];
  const [rows, depth] = transposeA ? [aWidth, aHeight] : [aHeight, aWidth];
  const [innerOfB, columns] = transposeB ? [bWidth, bHeight] : [bHeight, bWidth];
  if (innerOfB !== depth) {
    throw new Error(
      `the inner sizes of a matrix product differ: ${depth} of (${a.shape}) and ${innerOfB} of (${b.shape})`,
    );
  }
  const outer = tf.backend_util.assertAndGetBroadcastShape(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const batch = sizeOf(outer);
  const [aBatch, bBatch] = [sizeOf(a.shape.slice(0, -2)), sizeOf(b.shape.slice(0, -2))];
  const isSimple = (aBatch === batch || aBatch === 1) && (bBatch === batch || bBatch === 1);
  const known = activation === 'linear' || activation === 'relu' || activation === 'sigmoid';
  if (!isSimple || !known || batch * rows * columns * depth === 0) return null;
  if (bias !== undefined && (!isFloat(bias) || sizeOf(bias.shape) !== columns || bias.shape.at(-1) !== columns))
    return null;

  const { info, address } = backend.allocate([...outer, rows, columns], 'float32');
  // Products that share B are one tall product.
  const isTall = bBatch === 1 && aBatch === batch && !transposeA;
  const cost = (batch * rows * columns * depth) / 4;
  backend.withScratch(PACKED_BYTES * backend.kernels.lanes, (scratch) => {
    backend.compute(cost, 'matrixProduct', {
      a: backend.addressOf(a),
      b: backend.addressOf(b),
      c: address,
      bias: bias === undefined ? 0 : backend.addressOf(bias),
      scratch,
      rows: isTall ? batch * rows : rows,
      columns,
      depth,
      // bytes from row to row, within a row, and from matrix to matrix
      aRow: transposeA ? 4 : 4 * depth,
      aInner: transposeA ? 4 * rows : 4,
      bTransposed: transposeB ? 1 : 0,
      bRow: transposeB ? 4 * depth : 4 * columns,
      activation: activation === 'relu' ? RELU_ACTIVATION : NO_ACTIVATION,
      batch: isTall ? 1 : batch,
      aBatch: aBatch === 1 ? 0 : 4 * rows * depth,
      bBatch: bBatch === 1 ? 0 : 4 * depth * columns,
    });
  });
  if (activation === 'sigmoid') {
    const size = batch * rows * columns;
    backend.compute(4 * size, 'unary', operation.SIGMOID, address, address, size, 0);
  }
  return info;
}

export const matrixKernels: readonly OwnKernel[] = [
  { name: 'BatchMatMul', compute: (call) => product(call, { bias: undefined, activation: 'linear' }) },
  {
    name: '_FusedMatMul',
    compute: (call) =>
      product(call, { bias: call.inputs.bias, activation: String(call.attributes.activation ?? 'linear') }),
  },
];
