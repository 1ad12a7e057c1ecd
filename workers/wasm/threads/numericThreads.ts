import { kernelsAreBuilt } from '../calls/kernelModule.ts';
import { ParallelKernels } from '../calls/parallelKernels.ts';
import { TensorHeap } from '../memory/tensorHeap.ts';

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/**
 * Threads and the memory that they share: kernels run on all lanes, operands live in the heap. Whoever opens it closes it;
 * several computations may share one, one at a time.
 */
export class NumericThreads {
  readonly heap: TensorHeap;
  readonly kernels: ParallelKernels;

  /** Starts `threads` - 1 threads beside the caller's, at least none. */
  static async open(threads: number): Promise<NumericThreads> {
    const heap = new TensorHeap();
    return new NumericThreads(heap, await ParallelKernels.start(heap.memory, Math.max(1, threads)));
  }

  /** Null where the compiled kernels are not built: the reference implementations serve then. */
  static async openIfBuilt(threads: number): Promise<NumericThreads | null> {
    return kernelsAreBuilt() ? NumericThreads.open(threads) : null;
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

/** A block of the heap as an array. */
export interface Placed<Values> {
  address: number;
  values: Values;
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

  /** Address of `bytes` zeros. */
  reserveZeros(bytes: number): number {
    const address = this.reserve(bytes);
    new Uint8Array(this.threads.heap.memory.buffer, address, bytes).fill(0);
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

  /** `count` doubles of undefined contents. */
  placeDoubles(count: number): Placed<Float64Array> {
    const address = this.reserve(count * 8);
    return { address, values: this.doubles(address, count) };
  }

  /** `count` words of undefined contents. */
  placeWords(count: number): Placed<Uint32Array> {
    const address = this.reserve(count * 4);
    return { address, values: new Uint32Array(this.threads.heap.memory.buffer, address, count) };
  }

  /** A structure of `count` words as a kernel reads it: the fields given, 0 elsewhere. */
  placeFields(count: number, fields: readonly (readonly [field: number, value: number])[]): Placed<Uint32Array> {
    const placed = this.placeWords(count);
    placed.values.fill(0);
    for (const [field, value] of fields) placed.values[field] = value;
    return placed;
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
