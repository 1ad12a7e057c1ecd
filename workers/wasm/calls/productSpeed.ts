import { TensorHeap } from '../memory/tensorHeap.ts';
import { NO_ACTIVATION, PACKED_BYTES } from '../fields/matrixFields.ts';
import { kernelImports } from './kernelImports.ts';
import { compileKernels } from './kernelModule.ts';
import { inOrder, type KernelExports, type LaneKernel } from './kernels.ts';

/** Rows, columns and depth of the matrices: as large as those of networks, yet a product is done before another program has its turn. */
const SIZE = 256;
/** Processor time of all: the first products of a compiled module are slow, since its fast code is still being made. */
const MEASURED_MICROSECONDS = 300_000;
const LEAST_CALLS = 50;
/** By the clock, whatever else the machine does. */
const MOST_MS = 3000;

/** 10⁹ operations a second, on one thread, at best. */
export interface ProductSpeed {
  kernels: number;
  library: number;
}

/**
 * How fast the compiled kernels in use multiply matrices by themselves, and how fast with OpenBLAS in the file `library`, in turn. On
 * one thread, since that is what each thread of each worker has of a processor that they share. A third of a second where nothing else computes.
 * @throws WarrenError UNAVAILABLE where the library does not open.
 */
export async function productSpeed(library: string): Promise<ProductSpeed> {
  const heap = new TensorHeap();
  const module = await compileKernels();
  const bytes = 4 * SIZE * SIZE;
  const [a, b, c] = [heap.allocate(bytes), heap.allocate(bytes), heap.allocate(bytes)];
  const scratch = heap.allocate(PACKED_BYTES);
  const given = { a, b, c, bias: 0, scratch, rows: SIZE, columns: SIZE, depth: SIZE };
  const steps = { aRow: 4 * SIZE, aInner: 4, bTransposed: 0, bRow: 4 * SIZE, activation: NO_ACTIVATION };
  const parameters = inOrder('matrixProduct', [{ ...given, ...steps, batch: 1, aBatch: 0, bBatch: 0 }]);
  const ways = await Promise.all(
    [null, library].map(async (file) => {
      const { exports } = await WebAssembly.instantiate(module, kernelImports(heap.memory, file));
      const { matrixProduct } = exports as unknown as KernelExports;
      return { multiply: matrixProduct as LaneKernel, best: Number.POSITIVE_INFINITY };
    }),
  );
  new Float32Array(heap.memory.buffer, a, SIZE * SIZE).fill(0.5);
  new Float32Array(heap.memory.buffer, b, SIZE * SIZE).fill(0.25);
  const [used, until] = [process.cpuUsage(), performance.now() + MOST_MS];
  const isEnough = (calls: number): boolean =>
    performance.now() > until || (calls >= LEAST_CALLS && process.cpuUsage(used).user > MEASURED_MICROSECONDS);
  for (let call = 0; call === 0 || !isEnough(call); call++) {
    for (const way of ways) {
      const start = performance.now();
      way.multiply(0, 1, ...parameters);
      way.best = Math.min(way.best, performance.now() - start);
    }
  }
  const [kernels, products] = ways.map(({ best }) => (2 * SIZE ** 3) / best / 1e6);
  return { kernels: kernels!, library: products! };
}
