/**
 * Random bits that are a function of a counter, not of a state: element `index` of draw (seed, step, site) has the same 32
 * bits on every backend, on any thread, forward and backward, so that no mask need be stored or sent.
 *
 * Hash of an index under two 32-bit key words (a, b), all arithmetic modulo 2³²:
 *
 *     h = index · 0x9e3779b9 + a
 *     h = (h ^ h >>> 16) · 0x21f0aaad + b
 *     h = (h ^ h >>> 15) · 0x735a2d97
 *     h =  h ^ h >>> 15
 *
 * The multipliers and shifts are those of the two-round mixer of Wellons' "hash prospector" (low bias over all input bits);
 * the second key word between the rounds keeps draws whose first words differ by a multiple of the increment from
 * being shifted copies of each other. Reference implementation: workers/wasm/assembly/counterRandom.ts.
 */

/** Which draw: the run's seed, the optimizer step, and the place in the network. Whole numbers from 0 to 2⁵³ - 1. */
export interface DrawCounter {
  readonly seed: number;
  readonly step: number;
  readonly site: number;
}

/** The two words that stand for a draw. */
export interface CounterKey {
  readonly a: number;
  readonly b: number;
}

/** Hash of `index` (0 to 2³² - 1) under `key`: a whole number from 0 to 2³² - 1. */
export function counterBits(key: CounterKey, index: number): number {
  let hash = (Math.imul(index, 0x9e3779b9) + key.a) | 0;
  hash = (Math.imul(hash ^ (hash >>> 16), 0x21f0aaad) + key.b) | 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The key of a draw: the six 32-bit halves of its numbers, each absorbed into both words. */
export function counterKey({ seed, step, site }: DrawCounter): CounterKey {
  let key: CounterKey = { a: 0x243f6a88, b: 0x85a308d3 };
  for (const number of [seed, step, site]) {
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new Error(`internal: seed ${seed}, step ${step}, site ${site}; expected whole numbers from 0`);
    }
    for (const half of [number % 2 ** 32, Math.floor(number / 2 ** 32)]) {
      key = { a: counterBits(key, half), b: counterBits({ a: key.b, b: key.a }, ~half) };
    }
  }
  return key;
}

/** An element is kept where its bits are at least this: the share `rate` (0 to below 1) of all 32-bit numbers is below. */
export function dropThreshold(rate: number): number {
  return Math.min(2 ** 32 - 1, Math.round(rate * 2 ** 32));
}
