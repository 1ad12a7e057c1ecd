import { describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { TensorHeap } from '#workers/wasm/memory/tensorHeap.ts';

describe('a tensor heap', () => {
  test('gives blocks that are aligned, never overlap and keep what is written, in any order of giving back', () => {
    const heap = new TensorHeap();
    const generator = randomGenerator(4, 'heap');
    const blocks: { address: number; bytes: number; mark: number }[] = [];
    for (let round = 0; round < 3000; round++) {
      if (blocks.length > 60 || (blocks.length > 0 && generator.nextFloat() < 0.45)) {
        const [block] = blocks.splice(Math.floor(generator.nextFloat() * blocks.length), 1);
        const { address, bytes, mark } = block!;
        const view = new Uint8Array(heap.memory.buffer, address, bytes);
        expect(view.every((byte) => byte === mark)).toBe(true);
        heap.release(address, bytes);
      } else {
        const bytes = Math.floor(2 ** (17 * generator.nextFloat())) - 1;
        const address = heap.allocate(bytes);
        const mark = round & 255;
        expect(address % 64).toBe(0);
        new Uint8Array(heap.memory.buffer, address, bytes).fill(mark);
        blocks.push({ address, bytes, mark });
      }
    }
    for (const { address, bytes } of blocks) heap.release(address, bytes);
    expect(heap.bytesInUse).toBe(0);
  });

  test('uses again what was given back, whatever the sizes', () => {
    const heap = new TensorHeap();
    for (let round = 0; round < 200; round++) {
      const sizes = [1, 3, 2].map((part) => part * (100_000 + 640 * round));
      const addresses = sizes.map((bytes) => heap.allocate(bytes));
      for (const [index, bytes] of sizes.entries()) heap.release(addresses[index]!, bytes);
    }
    expect(heap.memory.buffer.byteLength).toBeLessThan(20 * 2 ** 20);
    expect(heap.peakBytes).toBe([1, 3, 2].reduce((sum, part) => sum + Math.ceil((part * 227_360) / 64) * 64, 0));
  });

  test('older views stay good when the memory grows', () => {
    const heap = new TensorHeap();
    const address = heap.allocate(8);
    const view = new Int32Array(heap.memory.buffer, address, 2);
    view.set([7, 8]);
    heap.allocate(40 * 2 ** 20);
    view[1] = 9;
    expect([...new Int32Array(heap.memory.buffer, address, 2)]).toEqual([7, 9]);
  });

  test('refuses more than its limit, saying what is needed, used and allowed', () => {
    const heap = new TensorHeap(2 ** 20);
    heap.allocate(700_000);
    expect(() => heap.allocate(2 ** 19)).toThrow(
      'out of tensor memory: 0.50 MiB more are needed, 0.67 MiB are in use, the limit is 1.00 MiB',
    );
    expect(() => new TensorHeap().allocate(5 * 2 ** 30)).toThrow('the limit is 4096 MiB');
    expect(heap.allocate(2 ** 18)).toBeGreaterThan(0);
  });
});
