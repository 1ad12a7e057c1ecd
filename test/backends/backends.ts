import type { Arithmetic } from '#src/contracts/arithmetic.ts';
import { realProbes } from '#workers/tensor/backendProbes.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { fusedSupport } from '#workers/wasm/calls/fusedSupport.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';

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

/** What the compiled kernels round with here: fused multiply-adds where the processor has them. */
export const ARITHMETICS_HERE: readonly Arithmetic[] = fusedSupport() === 'fused' ? ['plain', 'fused'] : ['plain'];
if (ARITHMETICS_HERE.length === 1) console.warn('skipped: this processor has no fused multiply-adds');

/** Both builds of the kernels, each on one thread and on two. */
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
