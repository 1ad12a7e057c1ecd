import { describe, expect, test } from 'vitest';
import { counterBits, counterKey, dropThreshold } from '#workers/math/random/counterRandom.ts';

const COUNT = 1 << 16;

function bitsOf(seed: number, step: number, site: number): Uint32Array {
  const key = counterKey({ seed, step, site });
  return Uint32Array.from({ length: COUNT }, (_, index) => counterBits(key, index));
}

/** Σ (observed - expected)² / expected of `counts`, all being expected alike. */
function chiSquare(counts: ArrayLike<number>): number {
  const all = Array.from(counts);
  const expected = all.reduce((sum, count) => sum + count, 0) / all.length;
  return all.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('random bits by counter', () => {
  test('are the hash that is written down', () => {
    // The formula of the docstring in exact integers.
    const word = 2n ** 32n;
    const exact = (a: bigint, b: bigint, index: bigint) => {
      let hash = (index * 0x9e3779b9n + a) % word;
      hash = ((hash ^ (hash >> 16n)) * 0x21f0aaadn + b) % word;
      hash = ((hash ^ (hash >> 15n)) * 0x735a2d97n) % word;
      return Number(hash ^ (hash >> 15n));
    };
    for (const [a, b, index] of [
      [0, 0, 1],
      [0xdeadbeef, 0x12345678, 4_294_967_295],
      [1, 0xffffffff, 77_777],
    ] as const) {
      expect(counterBits({ a, b }, index)).toBe(exact(BigInt(a), BigInt(b), BigInt(index)));
    }
  });

  test('fill all values evenly, whatever the draw', () => {
    for (const [seed, step, site] of [
      [0, 0, 0],
      [1, 0, 0],
      [2 ** 53 - 1, 9000, 12],
    ] as const) {
      const bits = bitsOf(seed, step, site);
      for (const shift of [0, 12, 24]) {
        const counts = new Uint32Array(256);
        for (const word of bits) counts[(word >>> shift) & 255]!++;
        // 255 degrees of freedom: the mean is 255, the deviation 22.6.
        expect(Math.abs(chiSquare(counts) - 255)).toBeLessThan(5 * 22.6);
      }
    }
  });

  test('of neighbouring indices, steps, sites and seeds do not go together', () => {
    const first = bitsOf(5, 6, 7);
    const others = [bitsOf(5, 6, 8), bitsOf(5, 7, 7), bitsOf(6, 6, 7), first.map((_, i) => first[(i + 1) % COUNT]!)];
    for (const second of others) {
      const counts = new Uint32Array(256);
      for (let i = 0; i < COUNT; i++) counts[((first[i]! >>> 28) << 4) | (second[i]! >>> 28)]!++;
      expect(Math.abs(chiSquare(counts) - 255)).toBeLessThan(5 * 22.6);
    }
  });

  test('halves of large numbers count', () => {
    expect(counterKey({ seed: 2 ** 32, step: 0, site: 0 })).not.toEqual(counterKey({ seed: 0, step: 0, site: 0 }));
    expect(() => counterKey({ seed: -1, step: 0, site: 0 })).toThrow('expected whole numbers from 0');
  });

  test('the threshold is the share of all 32-bit numbers', () => {
    expect(dropThreshold(0)).toBe(0);
    expect(dropThreshold(0.25)).toBe(2 ** 30);
    expect(dropThreshold(1 - 2 ** -40)).toBe(2 ** 32 - 1);
  });
});
