import { expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { largestEntries } from '#workers/models/largestEntries.ts';

test('picks what sorting picks, ties to the lowest candidate', () => {
  const generator = randomGenerator(1, 'largest');
  for (let round = 0; round < 300; round++) {
    const size = 1 + generator.nextInt(40);
    const values = Float64Array.from({ length: size }, () => generator.nextInt(6));
    const candidates = Uint32Array.from(values.keys());
    generator.shuffle(candidates);
    const count = generator.nextInt(size + 1);
    const k = 1 + generator.nextInt(12);
    const sorted = [...candidates.slice(0, count)].sort((a, b) => values[b]! - values[a]! || a - b).slice(0, k);
    const kept = largestEntries(candidates, values, { count, k });
    expect([...candidates.slice(0, kept)].sort((a, b) => a - b)).toEqual(sorted.sort((a, b) => a - b));
  }
});
