import * as conversion from '#workers/wasm/fields/elementwiseFields.ts';
import type { tf } from '../tf.ts';
import { input, isWord, type KernelCall, type OwnKernel, sizeOf } from './ownKernel.ts';
import type { WasmBackend } from './wasmBackend.ts';

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

export const fillKernels: readonly OwnKernel[] = [
  { name: 'Fill', compute: fill },
  { name: 'ZerosLike', compute: (call) => like(call, 0) },
  { name: 'OnesLike', compute: (call) => like(call, 1) },
  { name: 'Cast', compute: cast },
];
