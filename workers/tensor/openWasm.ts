import { arithmeticWords } from '#src/base/contracts/arithmetic.ts';
import { arithmeticInUse } from '#workers/wasm/calls/kernelModule.ts';
import type { OpenBackend } from './openedBackend.ts';
import { tf } from './tf.ts';
import { openWasmBackend } from './wasm/openWasmBackend.ts';

/** Makes tfjs compute on Warren's own WebAssembly kernels, with `threads` threads over one shared memory. */
export async function openWasm({ threads, device }: { threads: number; device: string }): Promise<OpenBackend> {
  const { memory, close } = await openWasmBackend(threads);
  let closing: Promise<void> | null = null;
  return {
    name: 'wasm',
    device: `${device}, ${threads} ${threads === 1 ? 'thread' : 'threads'}${arithmeticWords(arithmeticInUse())}`,
    isGpu: false,
    version: `V8 ${process.versions.v8}`,
    versions: { 'tfjs-core': tf.version_core, v8: process.versions.v8 },
    reason: '',
    memory,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
