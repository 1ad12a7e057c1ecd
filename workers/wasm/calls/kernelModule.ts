import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtFile } from '#src/lib/projectRoot.ts';
import type { KernelExports } from './kernels.ts';

/** Whether the compiled kernels and the threads that run them have been built. */
export function kernelsAreBuilt(): boolean {
  return ['kernels.wasm', 'lane-thread.js'].every((name) => existsSync(builtFile(name)));
}

let uses = 0;
let compiled: Promise<WebAssembly.Module> | null = null;

/** How often this thread has asked for the kernels so far: what asks in between computes with WebAssembly. */
export function kernelUses(): number {
  return uses;
}

/** The compiled `dist/kernels.wasm`; the module can be sent to threads. A thread compiles it once. */
export async function compileKernels(): Promise<WebAssembly.Module> {
  uses += 1;
  compiled ??= readFile(builtFile('kernels.wasm')).then((bytes) => WebAssembly.compile(bytes));
  try {
    return await compiled;
  } catch (error) {
    compiled = null;
    throw error;
  }
}

export async function instantiateKernels(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Promise<KernelExports> {
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  // The compiler of the module keeps this promise: both sides are built from one source.
  return instance.exports as unknown as KernelExports;
}
