import type { tf } from '../tf.ts';
import type { WasmBackend } from './wasmBackend.ts';

/** One call of a kernel by tfjs. */
export interface KernelCall {
  backend: WasmBackend;
  inputs: tf.NamedTensorInfoMap;
  attributes: tf.NamedAttrMap;
}

/** A kernel of our own under tfjs's name; null where the plain kernel of tfjs shall do it (another type, a rare pattern). */
export interface OwnKernel {
  name: string;
  compute(call: KernelCall): tf.TensorInfo | tf.TensorInfo[] | null;
}

/** The input `name`, which tfjs promises. */
export function input(call: KernelCall, name: string): tf.TensorInfo {
  const info = call.inputs[name];
  if (info === undefined) throw new Error(`internal: a kernel was called without its input ${name}`);
  return info;
}

/** The same data under another shape, counted once more. */
export function sharedAs(backend: WasmBackend, x: tf.TensorInfo, shape: number[]): tf.TensorInfo {
  backend.incRef(x.dataId);
  return { dataId: x.dataId, shape, dtype: x.dtype };
}

/** Product of the extents; 1 for a scalar. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (const extent of shape) size *= extent;
  return size;
}

export function isFloat(...infos: readonly tf.TensorInfo[]): boolean {
  return infos.every((info) => info.dtype === 'float32');
}

/** Types whose elements take 4 bytes. */
export function isWord(dtype: tf.DataType): dtype is 'float32' | 'int32' {
  return dtype === 'float32' || dtype === 'int32';
}
