import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtFile } from '#src/lib/projectRoot.ts';

/** What `workers/wasm/assembly/index.ts` exports. Addresses are bytes in the shared memory. */
export interface KernelExports {
  /** Inverse cosine, the bits of `workers/math/activations/arcCosine.ts`. */
  arcCosine(x: number): number;
  /** Inverse cosines of the two doubles at `from`, written to `to`. */
  arcCosine2Into(from: number, to: number): void;
  /** Polar angles, the bits of `workers/math/activations/polarAngle.ts`, of the points (x, y): two x at `from`, then two y; written to `to`. */
  polarAngle2Into(from: number, to: number): void;
  /** Works on a search job with one thread's own structure until there are no queries left; a RESULT_ of `searchFields.ts`. */
  search(job: number, lane: number): number;
  /** Works on a ranking job with one thread's own structure until there are no queries left; a RESULT_ of `rankingFields.ts`. */
  rankItems(job: number, lane: number): number;
  /** Adds the patterns of one thread's table to another's; how many different ones there are then, -1 out of memory. */
  mergePatterns(job: number, to: number, from: number): number;
}

/** Whether the compiled kernels and the threads that run them have been built. */
export function kernelsAreBuilt(): boolean {
  return ['kernels.wasm', 'kernel-thread.js', 'lane-thread.js'].every((name) => existsSync(builtFile(name)));
}

let wereUsed = false;

/** Whether anything in this thread has compiled the kernels so far, and so computes with WebAssembly. */
export function kernelsWereUsed(): boolean {
  return wereUsed;
}

/** Compiles `dist/kernels.wasm`; the module can be sent to threads. */
export async function compileKernels(): Promise<WebAssembly.Module> {
  wereUsed = true;
  return WebAssembly.compile(await readFile(builtFile('kernels.wasm')));
}

export async function instantiateKernels(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Promise<KernelExports> {
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  // The compiler of the module keeps this promise: both sides are built from one source.
  return instance.exports as unknown as KernelExports;
}
