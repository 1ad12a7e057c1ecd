import { badInput } from '#src/base/contracts/errors.ts';
import type { RandomGenerator } from './randomGenerator.ts';

/**
 * Draws from a fixed categorical distribution in constant time: Walker's alias method, built as in Vose, "A linear algorithm
 * for generating random numbers with a given distribution" (1991).
 */
export class AliasTable {
  readonly #kept: Float64Array;
  readonly #alias: Uint32Array;

  /** `weights`: not negative, finite, not all 0; they need not add up to 1. Throws BAD_INPUT for others. */
  constructor(weights: ArrayLike<number>) {
    const count = weights.length;
    let total = 0;
    for (let i = 0; i < count; i++) {
      const weight = weights[i]!;
      if (!(weight >= 0) || weight === Number.POSITIVE_INFINITY) {
        throw badInput(`weight ${i} is ${weight}; expected finite weights from 0`, 'weights');
      }
      total += weight;
    }
    if (!(total > 0) || !Number.isFinite(total))
      throw badInput(`the ${count} weights add up to ${total}; expected a finite sum above 0`, 'weights');
    this.#kept = Float64Array.from({ length: count }, (_, i) => (weights[i]! / total) * count);
    this.#alias = Uint32Array.from({ length: count }, (_, i) => i);
    const small: number[] = [];
    const large: number[] = [];
    for (let i = 0; i < count; i++) (this.#kept[i]! < 1 ? small : large).push(i);
    while (small.length > 0 && large.length > 0) {
      const less = small.pop()!;
      const more = large.at(-1)!;
      this.#alias[less] = more;
      this.#kept[more]! -= 1 - this.#kept[less]!;
      if (this.#kept[more]! < 1) {
        large.pop();
        small.push(more);
      }
    }
    // What rounding left over is 1; one without weight never is.
    for (const i of [...small, ...large]) {
      if (weights[i]! > 0) this.#kept[i] = 1;
    }
  }

  get size(): number {
    return this.#kept.length;
  }

  /**
   * The table in 32-bit words, for kernels: of two random words one chooses a cell, and the other gives the cell itself where
   * it is below `cells`, else its `aliases`.
   */
  words(): { cells: Uint32Array; aliases: Uint32Array } {
    const cells = Uint32Array.from(this.#kept, (kept) => Math.min(2 ** 32 - 1, Math.round(kept * 2 ** 32)));
    // a full cell is its own alias, so that no bits miss it
    const aliases = this.#alias.map((alias, i) => (this.#kept[i]! >= 1 ? i : alias));
    return { cells, aliases };
  }

  /** An index, drawn with probability in proportion to its weight. */
  draw(generator: RandomGenerator): number {
    const index = generator.nextInt(this.#kept.length);
    return generator.nextFloat() < this.#kept[index]! ? index : this.#alias[index]!;
  }
}

/** One draw from a distribution used once: an index in proportion to the `weights`, whose sum is `total`. */
export function drawCategorical(generator: RandomGenerator, weights: ArrayLike<number>, total: number): number {
  let left = generator.nextFloat() * total;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    if (!(weights[i]! > 0)) continue;
    left -= weights[i]!;
    last = i;
    if (left < 0) return i;
  }
  return last;
}
