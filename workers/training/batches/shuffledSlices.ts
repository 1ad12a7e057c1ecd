import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';

/** The numbers 0 to count - 1 in a new random order, `size` at a time; the last slice has what is left. */
export function* shuffledSlices(count: number, size: number, order: RandomGenerator): Generator<Uint32Array> {
  const shuffled = Uint32Array.from({ length: count }, (_, i) => i);
  order.shuffle(shuffled);
  for (let from = 0; from < count; from += size) yield shuffled.subarray(from, from + size);
}
