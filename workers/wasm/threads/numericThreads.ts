import { ParallelKernels } from '../calls/parallelKernels.ts';
import { TensorHeap } from '../memory/tensorHeap.ts';

type NumberArray = Uint32Array | Int32Array | Float32Array | Float64Array;

/**
 * Threads and shared memory for linear algebra: kernels run on all lanes, operands live in the heap. Whoever opens it
 * closes it; several computations may share one, one at a time.
 */
export class NumericThreads {
  readonly heap: TensorHeap;
  readonly kernels: ParallelKernels;

  static async open(threads: number): Promise<NumericThreads> {
    const heap = new TensorHeap();
    return new NumericThreads(heap, await ParallelKernels.start(heap.memory, threads));
  }

  constructor(heap: TensorHeap, kernels: ParallelKernels) {
    this.heap = heap;
    this.kernels = kernels;
  }

  async close(): Promise<void> {
    await this.kernels.close();
  }

  /** What is allocated through the result lives until its `release`. */
  scope(): NumericScope {
    return new NumericScope(this);
  }
}

/** Blocks of the heap that live as long as one computation. */
export class NumericScope {
  readonly threads: NumericThreads;
  readonly #blocks: [address: number, bytes: number][] = [];

  constructor(threads: NumericThreads) {
    this.threads = threads;
  }

  /** Address of `bytes` of undefined contents. Throws OUT_OF_MEMORY. */
  reserve(bytes: number): number {
    const address = this.threads.heap.allocate(bytes);
    this.#blocks.push([address, bytes]);
    return address;
  }

  /** Address of a copy of `array`. */
  place(array: NumberArray): number {
    const address = this.reserve(array.byteLength);
    new Uint8Array(this.threads.heap.memory.buffer, address, array.byteLength).set(
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
    );
    return address;
  }

  doubles(address: number, count: number): Float64Array {
    return new Float64Array(this.threads.heap.memory.buffer, address, count);
  }

  floats(address: number, count: number): Float32Array {
    return new Float32Array(this.threads.heap.memory.buffer, address, count);
  }

  words(address: number, count: number): Int32Array {
    return new Int32Array(this.threads.heap.memory.buffer, address, count);
  }

  release(): void {
    for (const [address, bytes] of this.#blocks.splice(0)) this.threads.heap.release(address, bytes);
  }
}
