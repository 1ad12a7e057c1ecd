import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { ParallelKernels } from '#workers/wasm/calls/parallelKernels.ts';
import { TensorHeap } from '#workers/wasm/memory/tensorHeap.ts';

/** Threads with a memory of their own that Gram matrices are computed in. Whoever opens one closes it. */
export interface GramEngine {
  heap: TensorHeap;
  kernels: ParallelKernels;
  close(): Promise<void>;
}

/** Starts `threads` - 1 threads beside the caller's. Null where the compiled kernels are not built: the reference implementations serve then. */
export async function openGramEngine(threads: number): Promise<GramEngine | null> {
  if (!kernelsAreBuilt()) return null;
  const heap = new TensorHeap();
  const kernels = await ParallelKernels.start(heap.memory, Math.max(1, threads));
  return { heap, kernels, close: () => kernels.close() };
}

/** Blocks of one heap that are given back together. */
export class HeapScope {
  readonly #heap: TensorHeap;
  readonly #owned: [number, number][] = [];

  constructor(heap: TensorHeap) {
    this.#heap = heap;
  }

  reserve(bytes: number): number {
    const address = this.#heap.allocate(bytes);
    this.#owned.push([address, bytes]);
    return address;
  }

  doubles(count: number): { address: number; values: Float64Array } {
    const address = this.reserve(count * 8);
    return { address, values: new Float64Array(this.#heap.memory.buffer, address, count) };
  }

  words(count: number): { address: number; values: Uint32Array } {
    const address = this.reserve(count * 4);
    return { address, values: new Uint32Array(this.#heap.memory.buffer, address, count) };
  }

  releaseAll(): void {
    for (const [address, bytes] of this.#owned.splice(0)) this.#heap.release(address, bytes);
  }
}
