import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Arithmetic } from '#src/base/contracts/arithmetic.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { fusedSupport, whyNotFused } from './fusedSupport.ts';
import { kernelImports } from './kernelImports.ts';
import { openblasSupport } from './openblasSupport.ts';
import type { KernelExports } from './kernels.ts';

/** One source, compiled twice. */
const FILES: Readonly<Record<Arithmetic, string>> = {
  plain: 'kernels.wasm',
  fused: 'kernels-fused.wasm',
  openblas: 'kernels.wasm',
};

/** Whether the compiled kernels and the threads that run them have been built. */
export function kernelsAreBuilt(): boolean {
  return [...Object.values(FILES), 'lane-thread.js'].every((name) => existsSync(builtFile(name)));
}

let uses = 0;
let used: Arithmetic = 'plain';
let library: string | null = null;
const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** How often this thread has asked for the kernels so far: what asks in between computes with WebAssembly. */
export function kernelUses(): number {
  return uses;
}

/**
 * Which kernels what this thread opens from now on computes with; `plain` until this is called. What is open keeps its own.
 * @throws WarrenError UNAVAILABLE where fused multiply-adds or OpenBLAS cannot be had.
 */
export function setArithmetic(arithmetic: Arithmetic): void {
  if (arithmetic === 'fused') {
    const support = fusedSupport();
    if (support !== 'fused') throw new WarrenError('UNAVAILABLE', `WARREN_FUSED: ${whyNotFused(support)}`);
  }
  library = arithmetic === 'openblas' ? workingOpenblas() : null;
  used = arithmetic;
}

/** File of the library in which what is opened from now on multiplies matrices; null: the kernels do. */
export function productLibraryInUse(): string | null {
  return library;
}

/** What `setArithmetic` has said. */
export function arithmeticInUse(): Arithmetic {
  return used;
}

/** The compiled kernels in use; the module can be sent to threads. A thread compiles each once. */
export async function compileKernels(): Promise<WebAssembly.Module> {
  uses += 1;
  const file = FILES[used];
  const module = compiled.get(file) ?? readFile(builtFile(file)).then((bytes) => WebAssembly.compile(bytes));
  compiled.set(file, module);
  try {
    return await module;
  } catch (error) {
    compiled.delete(file);
    throw error;
  }
}

/** The file of an OpenBLAS that opens. */
function workingOpenblas(): string {
  const support = openblasSupport();
  if ('reason' in support) throw new WarrenError('UNAVAILABLE', `WARREN_OPENBLAS: ${support.reason}`);
  return support.file;
}

export async function instantiateKernels(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Promise<KernelExports> {
  const instance = await WebAssembly.instantiate(module, kernelImports(memory, productLibraryInUse()));
  // The compiler of the module keeps this promise: both sides are built from one source.
  return instance.exports as unknown as KernelExports;
}
