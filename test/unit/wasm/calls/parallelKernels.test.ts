import { afterEach, describe, expect, test } from 'vitest';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { ParallelKernels } from '#workers/wasm/calls/parallelKernels.ts';
import { TensorHeap } from '#workers/wasm/memory/tensorHeap.ts';

const built = kernelsAreBuilt();
if (!built && process.env.CI === 'true') throw new Error('dist/kernels.wasm is not built');
if (!built) console.warn('skipped: dist/kernels.wasm is not built (npm run build)');

describe.runIf(built)('kernels that all lanes run', () => {
  let kernels: ParallelKernels | null = null;
  afterEach(async () => {
    await kernels?.close();
    kernels = null;
  });

  test.each([1, 2, 4])('are run once by each of %i lanes, call after call', async (lanes) => {
    const heap = new TensorHeap();
    kernels = await ParallelKernels.start(heap.memory, lanes);
    const address = heap.allocate(4 * (lanes + 1));
    const words = new Int32Array(heap.memory.buffer, address, lanes + 1);
    const expected = [...Array.from({ length: lanes }, (_, lane) => lane + 1), lanes];
    for (let call = 0; call < 500; call++) {
      words.fill(0);
      kernels.run('probeLanes', address);
      expect([...words]).toEqual(expected);
    }
    kernels.runAlone('probeLanes', address);
    expect([...words.subarray(0, 2)]).toEqual([1, 1]);
  });

  test('throw where a lane traps, and run on', async () => {
    const heap = new TensorHeap();
    const started = await ParallelKernels.start(heap.memory, 3);
    kernels = started;
    for (const lane of [0, 1, 2]) {
      expect(() => started.run('probeTrap', lane)).toThrow('kernel probeTrap failed: unreachable');
    }
    const address = heap.allocate(16);
    started.run('probeLanes', address);
    expect([...new Int32Array(heap.memory.buffer, address, 4)]).toEqual([1, 2, 3, 3]);
  });

  test('wake lanes that have gone to sleep', async () => {
    const heap = new TensorHeap();
    kernels = await ParallelKernels.start(heap.memory, 2);
    const address = heap.allocate(12);
    // Longer than a lane looks for work before it sleeps.
    const until = performance.now() + 20;
    while (performance.now() < until);
    kernels.run('probeLanes', address);
    expect([...new Int32Array(heap.memory.buffer, address, 3)]).toEqual([1, 2, 2]);
  });

  test('refuse a wrong number of parameters, a missing one, and calls after close', async () => {
    const heap = new TensorHeap();
    const started = await ParallelKernels.start(heap.memory, 2);
    // @ts-expect-error the compiler says so, too
    expect(() => started.run('probeLanes')).toThrow('takes 1 parameters beside the lanes, not 0');
    // @ts-expect-error the compiler says so, too
    expect(() => started.run('sgdUpdate', { parameter: 0 })).toThrow('sgdUpdate was called without gradient');
    await started.close();
    await started.close();
    expect(() => started.run('probeLanes', 0)).toThrow('after close');
  });
});
