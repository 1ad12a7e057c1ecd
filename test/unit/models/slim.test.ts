import { expect, test } from 'vitest';
import { ratioByTime } from '#workers/data/split/orderedSplit.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { coOccurrences } from '#workers/models/coOccurrences.ts';
import { fitSlim, slimScores } from '#workers/models/slim.ts';
import { slimWeightsReference } from '#workers/models/slimReference.ts';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { datasetOf } from '../data/dataFiles.ts';

const OPTIONS = { l1: 0.4, l2: 1.5, tolerance: 1e-12, sweeps: 2000 };
const ITEMS = 90;

function randomTraining() {
  const generator = randomGenerator(5, 'slim test');
  const sequences = Array.from({ length: 60 }, () => {
    const from = generator.nextInt(3) * 30;
    return Array.from(
      { length: 25 },
      () => (from + generator.nextInt(generator.nextInt(4) === 0 ? ITEMS : 30)) % ITEMS,
    );
  });
  return ratioByTime(datasetOf(sequences, ITEMS), { train: 0.8, validation: 0.1, test: 0.1 });
}

test('weights on any number of lanes are those of the plain reference implementation, to the bit', async () => {
  const training = randomTraining();
  const gram = coOccurrences(training);
  const reference = Array.from({ length: ITEMS }, (_, item) => slimWeightsReference(gram, item, OPTIONS));
  for (const lanes of [1, 2]) {
    const threads = await NumericThreads.open(lanes);
    try {
      const weights = fitSlim(threads, training, OPTIONS);
      const dense = Array.from({ length: ITEMS }, () => new Float64Array(ITEMS));
      for (let row = 0; row < ITEMS; row++) {
        for (let at = weights.offsets[row]!; at < weights.offsets[row + 1]!; at++) {
          dense[weights.columns[at]!]![row] = weights.values[at]!;
        }
      }
      expect(dense).toEqual(reference);
      const scores = new Float64Array(ITEMS);
      slimScores(weights, Uint32Array.of(3, 7, 3), scores);
      expect(scores[20]).toBe(reference[20]![3]! + reference[20]![7]!);
    } finally {
      await threads.close();
    }
  }
});

test('weights are those of the elastic net: its conditions of optimality hold', () => {
  const gram = coOccurrences(randomTraining());
  const { l1, l2 } = OPTIONS;
  let positive = 0;
  for (let item = 0; item < ITEMS; item++) {
    const w = slimWeightsReference(gram, item, OPTIONS);
    expect(w[item]).toBe(0);
    for (let other = 0; other < ITEMS; other++) {
      if (other === item) continue;
      let slope = -gram[item * ITEMS + other]! + l1 + l2 * w[other]!;
      for (let k = 0; k < ITEMS; k++) slope += gram[other * ITEMS + k]! * w[k]!;
      if (w[other]! > 0) {
        positive++;
        expect(Math.abs(slope)).toBeLessThan(1e-8);
      } else expect(slope).toBeGreaterThan(-1e-8);
    }
  }
  expect(positive).toBeGreaterThan(ITEMS);
});
