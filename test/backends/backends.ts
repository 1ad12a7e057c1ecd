import { realProbes } from '#workers/tensor/backendProbes.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';

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

/** Everything that is here to be tested, each in its own process or opened and closed in turn. */
export const TEST_BACKENDS: readonly TestBackend[] = [
  { label: 'cpu', tolerance: 1e-6, open: () => openBackend({ forced: 'cpu', threads: 1 }) },
  { label: 'wasm, 1 thread', tolerance: 1e-6, open: () => openBackend({ forced: 'wasm', threads: 1 }) },
  { label: 'wasm, 2 threads', tolerance: 1e-6, open: () => openBackend({ forced: 'wasm', threads: 2 }) },
  ...(tensorflowMissing() === null
    ? [{ label: 'tensorflow', tolerance: 2e-6, open: () => openBackend({ forced: 'tensorflow', threads: 2 }) }]
    : []),
];
