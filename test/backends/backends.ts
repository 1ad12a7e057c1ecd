import { openBackend } from '#workers/tensor/openBackend.ts';

/** A backend that the suite runs on. */
export interface TestBackend {
  label: string;
  /** Greatest error of a single operation, relative to the greatest value of the result (or 1). */
  tolerance: number;
  /** Makes it the backend of tfjs. */
  open(): Promise<{ close(): Promise<void> }>;
}

/** Everything that is here to be tested, each in its own process or opened and closed in turn. */
export const TEST_BACKENDS: readonly TestBackend[] = [
  { label: 'cpu', tolerance: 1e-6, open: () => openBackend({ forced: 'cpu', threads: 1 }) },
  { label: 'wasm, 1 thread', tolerance: 1e-6, open: () => openBackend({ forced: 'wasm', threads: 1 }) },
  { label: 'wasm, 2 threads', tolerance: 1e-6, open: () => openBackend({ forced: 'wasm', threads: 2 }) },
];
