import type { Arithmetic } from '#src/base/contracts/arithmetic.ts';
import { realProbes } from '#workers/tensor/backendProbes.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { fusedSupport } from '#workers/wasm/calls/fusedSupport.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import { openblasSupport } from '#workers/wasm/calls/openblasSupport.ts';

/** A backend that the suite runs on. */
export interface TestBackend {
  label: string;
  /** Greatest error of a single operation, relative to the greatest value of the result (or 1). */
  tolerance: number;
  /** Makes it the backend of tfjs. */
  open(): Promise<{ close(): Promise<void> }>;
}

/** Why TensorFlow is not tested here; null where `warren backend install tensorflow` was run. */
export function tensorflowMissing(): string | null {
  const library = realProbes.tensorflowLibrary();
  return 'missing' in library ? library.missing : null;
}

/** What matrices are multiplied by here: OpenBLAS where `warren backend install openblas` was run. */
const openblas = openblasSupport();
if ('reason' in openblas) console.warn(`skipped: ${openblas.reason}`);

/** How the compiled kernels round here: with fused multiply-adds where the processor has them. */
const FUSED_HERE: readonly Arithmetic[] = fusedSupport() === 'fused' ? ['fused'] : [];
if (FUSED_HERE.length === 0) console.warn('skipped: this processor has no fused multiply-adds');
export const ARITHMETICS_HERE: readonly Arithmetic[] = [
  ...['plain' as const, ...FUSED_HERE],
  ...('reason' in openblas ? [] : ['openblas' as const]),
];

/** Each on one thread and on two. */
export const WASM_WAYS = ARITHMETICS_HERE.flatMap((arithmetic) =>
  [1, 2].map((threads) => ({ arithmetic, threads, label: `${arithmetic}, ${threads} threads` })),
);

/** Everything that is here to be tested, each in its own process or opened and closed in turn. */
export const TEST_BACKENDS: readonly TestBackend[] = [
  { label: 'cpu', tolerance: 1e-6, open: () => openBackend({ forced: 'cpu', threads: 1 }) },
  ...WASM_WAYS.map(({ arithmetic, threads, label }) => ({
    label: `wasm, ${label}`,
    tolerance: 1e-6,
    open: async () => {
      setArithmetic(arithmetic);
      const backend = await openBackend({ forced: 'wasm', threads });
      return {
        close: async () => {
          setArithmetic('plain'); // files that follow in this process compute as most programs do
          await backend.close();
        },
      };
    },
  })),
  ...(tensorflowMissing() === null
    ? [{ label: 'tensorflow', tolerance: 2e-6, open: () => openBackend({ forced: 'tensorflow', threads: 2 }) }]
    : []),
];
