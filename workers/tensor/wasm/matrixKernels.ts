import * as operation from '#workers/wasm/fields/elementwiseFields.ts';
import { tf } from '../tf.ts';
import { multiply } from './multiply.ts';
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
  multiply(backend, address, {
    a,
    b,
    transposeA,
    transposeB,
    rows,
    columns,
    depth,
    bias,
    batch,
    rectified: activation === 'relu',
    sharesA: aBatch === 1 && batch > 1,
    sharesB: bBatch === 1,
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
