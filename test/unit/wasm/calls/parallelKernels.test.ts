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

  test.each([1, 2, 4, 8])('are run once for each of %i lanes, call after call, whoever does it', async (lanes) => {
    const { started, add, sums } = await startAdding(lanes);
    for (let call = 1; call <= 500; call++) {
      add();
      expect(sums.every((sum) => sum === call)).toBe(true);
    }
    started.runAlone('addScaled', ...add.parameters);
    expect(sums.every((sum) => sum === 501)).toBe(true);
  });

  test('throw where a lane traps, and run on', async () => {
    const { heap, started, add, sums } = await startAdding(3);
    const [table, to, place] = [heap.allocate(12), heap.allocate(12), heap.allocate(12)];
    const indices = new Int32Array(heap.memory.buffer, place, 3);
    for (const lane of [0, 1, 2]) {
      // each lane gathers one row; this one's is outside of the memory
      indices.fill(0)[lane] = 0x3f000000;
      const job = { table, indices: place, to, outer: 1, extent: 1, count: 3, inner: 1 };
      expect(() => started.run('gatherRows', job)).toThrow('kernel gatherRows failed: memory access out of bounds');
    }
    add();
    expect(sums.every((sum) => sum === 1)).toBe(true);
  });

  test('wake lanes that have gone to sleep', async () => {
    const { add, sums } = await startAdding(2);
    // Longer than a lane looks for work before it sleeps.
    const until = performance.now() + 20;
    while (performance.now() < until);
    add();
    expect(sums.every((sum) => sum === 1)).toBe(true);
  });

  test('refuse a wrong number of parameters, a missing one, and calls after close', async () => {
    const { started, add } = await startAdding(2);
    // @ts-expect-error the compiler says so, too
    expect(() => started.run('addScaled')).toThrow('takes 5 parameters beside the lanes, not 0');
    // @ts-expect-error the compiler says so, too
    expect(() => started.run('sgdUpdate', { parameter: 0 })).toThrow('sgdUpdate was called without gradient');
    await started.close();
    await started.close();
    expect(add).toThrow('after close');
  });

  /** Lanes that add 1 to each of some numbers, of which every lane has two parts' worth: what is done twice, or not, shows. */
  async function startAdding(lanes: number) {
    const heap = new TensorHeap();
    const started = await ParallelKernels.start(heap.memory, lanes);
    kernels = started;
    const count = 32 * lanes;
    const addresses = [heap.allocate(4 * count), heap.allocate(4 * count)] as const;
    const [sums, ones] = addresses.map((address) => new Float32Array(heap.memory.buffer, address, count));
    sums!.fill(0);
    ones!.fill(1);
    const parameters = [...addresses, count, 1, 1] as const;
    const add = Object.assign(() => started.run('addScaled', ...parameters), { parameters });
    return { heap, started, add, sums: sums! };
  }
});
