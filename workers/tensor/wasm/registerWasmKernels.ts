import { tf } from '../tf.ts';
import { binaryKernels } from './binaryKernels.ts';
import * as conversion from '#workers/wasm/fields/elementwiseFields.ts';
import { input, isWord, type KernelCall, type OwnKernel, sizeOf, isFloat } from './ownKernel.ts';
import type { WasmBackend } from './wasmBackend.ts';
import { layoutKernels } from './layoutKernels.ts';
import * as operation from '#workers/wasm/fields/elementwiseFields.ts';
import { multiply } from './multiply.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { LOG_SOFTMAX, SOFTMAX } from '#workers/wasm/fields/elementwiseFields.ts';
import { unaryKernels } from './unaryKernels.ts';

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

const matrixKernels: readonly OwnKernel[] = [
  { name: 'BatchMatMul', compute: (call) => product(call, { bias: undefined, activation: 'linear' }) },
  {
    name: '_FusedMatMul',
    compute: (call) =>
      product(call, { bias: call.inputs.bias, activation: String(call.attributes.activation ?? 'linear') }),
  },
];

/** One row longer than this is reduced by all lanes, in runs. */
const LONG_ROW = 65_536;
const RUN = 1024;

interface Folded {
  outer: number;
  count: number;
  inner: number;
}

/** The shape as (outer, count, inner) with `count` reduced; null where other dimensions lie between the reduced ones. */
function foldedShape(shape: readonly number[], axes: readonly number[]): Folded | null {
  const folded: Folded = { outer: 1, count: 1, inner: 1 };
  for (const [axis, extent] of shape.entries()) {
    if (extent === 1) continue;
    if (!axes.includes(axis)) {
      if (folded.count === 1) folded.outer *= extent;
      else folded.inner *= extent;
    } else if (folded.inner === 1) folded.count *= extent;
    else return null;
  }
  return folded;
}

function reduce(call: KernelCall, kind: number, isMean: boolean): tf.TensorInfo | null {
  const { backend, attributes } = call;
  const x = input(call, 'x');
  if (!isFloat(x)) return null;
  const axes = tf.util.parseAxisParam((attributes.axis ?? attributes.reductionIndices) as number | number[], x.shape);
  const folded = foldedShape(x.shape, axes);
  if (folded === null || sizeOf(x.shape) === 0) return null;
  const { outer, count, inner } = folded;
  const keeps = attributes.keepDims === true;
  const shape = x.shape.flatMap((extent, axis) => (axes.includes(axis) ? (keeps ? [1] : []) : [extent]));
  const { info, address } = backend.allocate(shape, 'float32');
  const from = backend.addressOf(x);
  const factor = isMean ? 1 / count : 1;
  const cost = outer * count * inner;
  if (inner > 1) backend.compute(cost, 'reduceColumns', { kind, x: from, to: address, outer, count, inner, factor });
  else if (outer > 1 || count < LONG_ROW)
    backend.compute(cost, 'reduceRows', kind, from, address, outer, count, factor);
  else {
    const runs = Math.ceil(count / RUN);
    backend.withScratch(4 * runs, (scratch) => {
      backend.compute(cost, 'reduceRuns', kind, from, scratch, count);
      backend.compute(runs, 'reduceRows', kind, scratch, address, 1, runs, factor);
    });
  }
  return info;
}

const reductionKernels: readonly OwnKernel[] = [
  { name: 'Sum', compute: (call) => reduce(call, operation.SUM, false) },
  { name: 'Mean', compute: (call) => reduce(call, operation.SUM, true) },
  { name: 'Max', compute: (call) => reduce(call, operation.GREATEST, false) },
  { name: 'Min', compute: (call) => reduce(call, operation.LEAST, false) },
  { name: 'Prod', compute: (call) => reduce(call, operation.PRODUCT, false) },
];

/** The 32 bits of a number of a type, as an integer. */
function bitsOf(value: number, dtype: 'float32' | 'int32'): number {
  return dtype === 'int32' ? value | 0 : new Int32Array(Float32Array.of(value).buffer)[0]!;
}

function filled(
  backend: WasmBackend,
  shape: readonly number[],
  dtype: tf.DataType,
  value: number,
): tf.TensorInfo | null {
  if (!isWord(dtype)) return null;
  const { info, address } = backend.allocate(shape, dtype);
  const size = sizeOf(shape);
  backend.compute(size, 'fill', address, size, bitsOf(value, dtype));
  return info;
}

function fill({ backend, attributes }: KernelCall): tf.TensorInfo | null {
  const { shape, value, dtype } = attributes as unknown as tf.FillAttrs;
  if (typeof value !== 'number') return null;
  return filled(backend, shape, dtype ?? 'float32', value);
}

function like(call: KernelCall, value: number): tf.TensorInfo | null {
  const x = input(call, 'x');
  return filled(call.backend, x.shape, x.dtype, value);
}

const CONVERSIONS: Readonly<Record<string, number>> = {
  'bool float32': conversion.BOOL_TO_FLOAT,
  'int32 float32': conversion.INT_TO_FLOAT,
  'float32 int32': conversion.FLOAT_TO_INT,
  'bool int32': conversion.BOOL_TO_INT,
};

function cast(call: KernelCall): tf.TensorInfo | null {
  const { backend, attributes } = call;
  const x = input(call, 'x');
  const dtype = attributes.dtype as tf.DataType;
  const kind = CONVERSIONS[`${x.dtype} ${dtype}`];
  if (kind === undefined || !isWord(dtype)) return null;
  const size = sizeOf(x.shape);
  const { info, address } = backend.allocate(x.shape, dtype);
  backend.compute(size, 'convert', kind, backend.addressOf(x), address, size);
  return info;
}

const fillKernels: readonly OwnKernel[] = [
  { name: 'Fill', compute: fill },
  { name: 'ZerosLike', compute: (call) => like(call, 0) },
  { name: 'OnesLike', compute: (call) => like(call, 1) },
  { name: 'Cast', compute: cast },
];

const gather: OwnKernel = {
  name: 'GatherV2',
  compute(call) {
    const { backend, attributes } = call;
    const x = input(call, 'x');
    const indices = input(call, 'indices');
    if (!isWord(x.dtype) || indices.dtype !== 'int32' || (attributes.batchDims ?? 0) !== 0) return null;
    const [axis] = tf.util.parseAxisParam(attributes.axis as number, x.shape) as [number];
    const extent = x.shape[axis]!;
    const values = backend.integersOf(indices);
    for (let at = 0; at < values.length; at++) {
      const value = values[at]!;
      if (value < 0 || value >= extent) {
        throw badInput(`gather: index ${value} at place ${at} is not below ${extent}, the size of axis ${axis}`);
      }
    }
    const [outer, inner] = [sizeOf(x.shape.slice(0, axis)), sizeOf(x.shape.slice(axis + 1))];
    const shape = [...x.shape.slice(0, axis), ...indices.shape, ...x.shape.slice(axis + 1)];
    const { info, address } = backend.allocate(shape, x.dtype);
    const count = values.length;
    const operands = { table: backend.addressOf(x), indices: backend.addressOf(indices), to: address };
    backend.compute(outer * count * inner, 'gatherRows', { ...operands, outer, extent, count, inner });
    return info;
  },
};

/** Rows of x summed by segment; ids outside 0 … segments - 1 are left out. */
const segmentSum: OwnKernel = {
  name: 'UnsortedSegmentSum',
  compute(call) {
    const { backend, attributes } = call;
    const x = input(call, 'x');
    const ids = input(call, 'segmentIds');
    const segments = attributes.numSegments as number;
    if (!isFloat(x) || ids.dtype !== 'int32' || ids.shape.length !== 1) return null;
    const rows = ids.shape[0]!;
    const columns = sizeOf(x.shape.slice(1));
    const { info, address } = backend.allocate([segments, ...x.shape.slice(1)], 'float32');
    const operands = [backend.addressOf(x), backend.addressOf(ids), address] as const;
    backend.compute((rows + segments) * columns, 'segmentSum', ...operands, rows, segments, columns);
    return info;
  },
};

const rowKernels: readonly OwnKernel[] = [gather, segmentSum];

const COST = 8;

/** Along the last dimension. */
function softmax(call: KernelCall, name: 'logits', axis: unknown, kind: number): tf.TensorInfo | null {
  const { backend } = call;
  const x = input(call, name);
  const last = x.shape.length - 1;
  const size = sizeOf(x.shape);
  if (!isFloat(x) || size === 0 || (axis !== -1 && axis !== last)) return null;
  const columns = x.shape.at(-1) ?? 1;
  const { info, address } = backend.allocate(x.shape, 'float32');
  backend.compute(COST * size, 'softmax', kind, backend.addressOf(x), address, size / columns, columns);
  return info;
}

const softmaxKernels: readonly OwnKernel[] = [
  { name: 'Softmax', compute: (call) => softmax(call, 'logits', call.attributes.dim, SOFTMAX) },
  { name: 'LogSoftmax', compute: (call) => softmax(call, 'logits', call.attributes.axis, LOG_SOFTMAX) },
];

/** Kernels of our own, which go before tfjs's plain ones. */
const OWN: readonly OwnKernel[] = [
  ...binaryKernels,
  ...fillKernels,
  ...layoutKernels,
  ...matrixKernels,
  ...reductionKernels,
  ...rowKernels,
  ...softmaxKernels,
  ...unaryKernels,
];

let registered = false;

/** Registers the backend's kernels with tfjs: our own, and the plain CPU kernels for everything else. Once a process. */
export function registerWasmKernels(): void {
  if (registered) return;
  registered = true;
  const own = new Map(OWN.map((kernel) => [kernel.name, kernel]));
  for (const plain of tf.getKernelsForBackend('cpu')) {
    const ours = own.get(plain.kernelName);
    tf.registerKernel(
      ours === undefined
        ? { ...plain, backendName: 'wasm' }
        : {
            kernelName: plain.kernelName,
            backendName: 'wasm',
            kernelFunc: (given) =>
              ours.compute({
                backend: given.backend as WasmBackend,
                inputs: given.inputs,
                attributes: given.attrs ?? {},
              }) ?? plain.kernelFunc(given),
          },
    );
  }
}
