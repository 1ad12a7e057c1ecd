import { MathBackendCPU } from '@tensorflow/tfjs-backend-cpu';
import type { ParallelKernels } from '#workers/wasm/calls/parallelKernels.ts';
import type { TensorHeap } from '#workers/wasm/memory/tensorHeap.ts';
import type { KernelName, KernelParameters } from '#workers/wasm/calls/kernels.ts';
import type { tf } from '../tf.ts';

type DataId = tf.TensorInfo['dataId'];
type NumericArray = Float32Array | Int32Array | Uint8Array;

/** Bytes of one element, for the types whose tensors lie in the heap. */
const ELEMENT_BYTES: Partial<Record<tf.DataType, number>> = { float32: 4, int32: 4, bool: 1 };

/** Below this, waking the threads and waiting for them would cost as much as they save. */
const SHARED_COST = 60_000;

/**
 * The tfjs backend `wasm`: tensors of numbers lie in one shared WebAssembly memory, as views over it, so that kernels of
 * every thread reach them and tfjs's plain kernels still work on them. What is read out is a copy: the bytes of a disposed
 * tensor are used again.
 */
export class WasmBackend extends MathBackendCPU {
  readonly heap: TensorHeap;
  readonly kernels: ParallelKernels;

  constructor(heap: TensorHeap, kernels: ParallelKernels) {
    super();
    this.heap = heap;
    this.kernels = kernels;
  }

  /** Addresses of several tensors by the same names. */
  addressesOf<Name extends string>(infos: Readonly<Record<Name, tf.TensorInfo>>): Record<Name, number> {
    const addresses = {} as Record<Name, number>;
    for (const name in infos) addresses[name] = this.addressOf(infos[name]);
    return addresses;
  }

  /** Address of the tensor's first element in the shared memory. */
  addressOf(info: tf.TensorInfo): number {
    const { values } = this.data.get(info.dataId);
    if (!isInHeap(values)) throw new Error(`internal: a tensor of ${info.dtype} has no address`);
    return values.byteOffset;
  }

  /** A tensor whose contents are undefined, for a kernel to fill. Throws OUT_OF_MEMORY. */
  allocate(shape: readonly number[], dtype: 'float32' | 'int32' | 'bool'): { info: tf.TensorInfo; address: number } {
    const values = this.#view(sizeOf(shape), dtype);
    const dataId = super.write(values, [...shape], dtype);
    return { info: { dataId, shape: [...shape], dtype }, address: values.byteOffset };
  }

  /**
   * Runs a kernel on all threads, or alone where it is too small to be shared. `cost`: about how many floats it adds, or
   * what takes as long.
   */
  compute<Name extends KernelName>(cost: number, name: Name, ...parameters: KernelParameters<Name>): void {
    if (cost < SHARED_COST) this.kernels.runAlone(name, ...parameters);
    else this.kernels.run(name, ...parameters);
  }

  /** The numbers of an int32 tensor, as they lie in the heap: to be looked at, not to be kept. */
  integersOf(info: tf.TensorInfo): Int32Array {
    const { values } = this.data.get(info.dataId);
    if (!(values instanceof Int32Array)) throw new Error(`internal: a tensor of ${info.dtype} holds no integers`);
    return values;
  }

  /** Runs `work` with the address of `bytes` of scratch, which is given back after. */
  withScratch<Result>(bytes: number, work: (address: number) => Result): Result {
    const address = this.heap.allocate(bytes);
    try {
      return work(address);
    } finally {
      this.heap.release(address, bytes);
    }
  }

  override write(values: tf.backend_util.BackendValues, shape: number[], dtype: tf.DataType): DataId {
    return super.write(this.#placed(values, dtype), shape, dtype);
  }

  override move(
    dataId: DataId,
    values: tf.backend_util.BackendValues,
    shape: number[],
    dtype: tf.DataType,
    refCount: number,
  ): void {
    super.move(dataId, this.#placed(values, dtype), shape, dtype, refCount);
  }

  override readSync(dataId: DataId): tf.backend_util.BackendValues {
    const values = super.readSync(dataId);
    return isInHeap(values) ? values.slice() : values;
  }

  override disposeData(dataId: DataId, force = false): boolean {
    const values = this.data.has(dataId) ? this.data.get(dataId).values : undefined;
    const disposed = super.disposeData(dataId, force);
    if (disposed && isInHeap(values)) this.heap.release(values.byteOffset, values.byteLength);
    return disposed;
  }

  override memory(): { unreliable: boolean; reasons: string[] } {
    return { unreliable: false, reasons: [] };
  }

  /** A copy in the heap of what has numbers; anything else as it is. */
  #placed(values: tf.backend_util.BackendValues, dtype: tf.DataType): tf.backend_util.BackendValues {
    if (values === undefined || values === null || ELEMENT_BYTES[dtype] === undefined) return values;
    const numbers = values as NumericArray;
    const view = this.#view(numbers.length, dtype);
    view.set(numbers);
    return view;
  }

  #view(length: number, dtype: tf.DataType): NumericArray {
    const bytes = length * (ELEMENT_BYTES[dtype] ?? 4);
    const address = this.heap.allocate(bytes);
    const buffer = this.heap.memory.buffer as unknown as ArrayBuffer;
    if (dtype === 'float32') return new Float32Array(buffer, address, length);
    if (dtype === 'int32') return new Int32Array(buffer, address, length);
    return new Uint8Array(buffer, address, length);
  }
}

function isInHeap(values: unknown): values is NumericArray {
  return ArrayBuffer.isView(values) && values.buffer instanceof SharedArrayBuffer;
}

function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (const extent of shape) size *= extent;
  return size;
}
