import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtFile } from '#src/lib/projectRoot.ts';
import type { KernelExports } from './kernels.ts';

/** Whether the compiled kernels and the threads that run them have been built. */
export function kernelsAreBuilt(): boolean {
  return ['kernels.wasm', 'lane-thread.js'].every((name) => existsSync(builtFile(name)));
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
