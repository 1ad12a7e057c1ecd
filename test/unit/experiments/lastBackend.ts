import { afterAll } from 'vitest';
import { openBackend } from '#workers/tensor/openBackend.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';

/** Opens a backend for one run after the other, each time closing the last, and the very last after all tests. */
export function lastBackend(
  usualThreads: number,
): (backend?: 'cpu' | 'wasm', threads?: number) => Promise<OpenBackend> {
  let closeLast = async (): Promise<void> => undefined;
  afterAll(() => closeLast());
  return async (backend = 'wasm', threads = usualThreads) => {
    await closeLast();
    const open = await openBackend({ forced: backend, threads });
    closeLast = () => open.close();
    return open;
  };
}
