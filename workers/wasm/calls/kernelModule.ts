import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Arithmetic } from '#src/contracts/arithmetic.ts';
import { WarrenError } from '#src/contracts/errors.ts';
import { builtFile } from '#src/lib/projectRoot.ts';
import { fusedSupport, whyNotFused } from './fusedSupport.ts';
import type { KernelExports } from './kernels.ts';

/** One source, compiled twice. */
const FILES: Readonly<Record<Arithmetic, string>> = { plain: 'kernels.wasm', fused: 'kernels-fused.wasm' };

/** Whether the compiled kernels and the threads that run them have been built. */
export function kernelsAreBuilt(): boolean {
  return [...Object.values(FILES), 'lane-thread.js'].every((name) => existsSync(builtFile(name)));
}

let uses = 0;
let used: Arithmetic = 'plain';
const compiled = new Map<Arithmetic, Promise<WebAssembly.Module>>();

/** How often this thread has asked for the kernels so far: what asks in between computes with WebAssembly. */
export function kernelUses(): number {
  return uses;
}

/**
 * Which kernels what this thread opens from now on computes with; `plain` until this is called. What is open keeps its own.
 * @throws WarrenError UNAVAILABLE where fused multiply-adds cannot be had.
 */
export function setArithmetic(arithmetic: Arithmetic): void {
  if (arithmetic === 'fused') {
    const support = fusedSupport();
    if (support !== 'fused') throw new WarrenError('UNAVAILABLE', `WARREN_FUSED: ${whyNotFused(support)}`);
  }
  used = arithmetic;
}

/** What `setArithmetic` has said. */
export function arithmeticInUse(): Arithmetic {
  return used;
}

/** The compiled kernels in use; the module can be sent to threads. A thread compiles each once. */
export async function compileKernels(): Promise<WebAssembly.Module> {
  uses += 1;
  const arithmetic = used;
  const module =
    compiled.get(arithmetic) ?? readFile(builtFile(FILES[arithmetic])).then((bytes) => WebAssembly.compile(bytes));
  compiled.set(arithmetic, module);
  try {
    return await module;
  } catch (error) {
    compiled.delete(arithmetic);
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
