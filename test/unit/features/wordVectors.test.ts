import { afterAll, describe, expect, test } from 'vitest';
import {
  type Corpus,
  WORD_VECTOR_MODELS,
  wordVectorPlan,
  type WordVectorSettings,
} from '#workers/features/wordVectorPlan.ts';
import { WordVectors } from '#workers/features/wordVectors.ts';
import { ReferenceWordVectors } from './wordVectorsReference.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const SETTINGS: WordVectorSettings = {
  model: 'skip-gram',
  window: 3,
  shrinkWindow: true,
  negatives: 3,
  dimension: 7,
  weightDecay: 1e-3,
  epochs: 3,
  learningRate: 0.1,
  finalLearningRate: 0.001,
  subsample: 0,
  negativePower: 0.75,
};

function corpusOf(sentences: readonly (readonly number[])[], words: number): Corpus {
  const offsets = new Uint32Array(sentences.length + 1);
  for (const [s, sentence] of sentences.entries()) offsets[s + 1] = offsets[s]! + sentence.length;
  return { offsets, tokens: Uint32Array.from(sentences.flat()), words };
}

/** Sentences of one of two halves of the words each. */
function halves(sentences: number, words: number): Corpus {
  const generator = randomGenerator(4, 'sentences');
  const half = words / 2;
  const drawn = Array.from({ length: sentences }, (_, s) =>
    Array.from({ length: 1 + generator.nextInt(12) }, () => (s % 2) * half + generator.nextInt(half)),
  );
  return corpusOf(drawn, words);
}

const opened: WordVectors[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

async function open(
  corpus: Corpus,
  over: Partial<WordVectorSettings> = {},
  seed = 1,
  threads = 1,
): Promise<WordVectors> {
  const training = await WordVectors.open(corpus, { ...SETTINGS, ...over }, { seed, threads, lossEvery: 1 });
  opened.push(training);
  return training;
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  return a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i]!)), 0);
}

describe.each(WORD_VECTOR_MODELS)('%s', (model) => {
  test.each([
    { negatives: 3 },
    { negatives: 6, dimension: 16, subsample: 0.02, shrinkWindow: false },
    { negatives: 1, dimension: 32, weightDecay: 0 },
    { contextUpdate: 'whole' as const },
  ])('the kernel follows the plain reference implementation, token by token: %j', async (over) => {
    const corpus = halves(40, 20);
    const settings = { ...SETTINGS, ...over, model };
    const reference = new ReferenceWordVectors(corpus, settings, 9);
    const training = await open(corpus, { ...over, model }, 9);
    for (let epoch = 0; epoch < settings.epochs; epoch++) {
      const expected = reference.epoch();
      const found = training.epoch();
      expect(found.loss).toBeCloseTo(expected, 4);
      expect(found.tokens).toBe(corpus.tokens.length);
    }
    expect(largestDifference(training.vectors(), reference.vectors())).toBeLessThan(1e-5);
    expect(largestDifference(training.documents(), reference.documents())).toBeLessThan(1e-5);
  });
});

test('with one thread, the same seed gives the same bits, and another seed others', async () => {
  const corpus = halves(60, 30);
  const train = async (seed: number): Promise<Float32Array> => {
    const training = await open(corpus, {}, seed);
    for (let epoch = 0; epoch < 3; epoch++) training.epoch();
    return training.vectors();
  };
  const first = await train(1);
  expect(await train(1)).toEqual(first);
  expect(largestDifference(await train(2), first)).toBeGreaterThan(1e-3);
});

function meanCosines(vectors: Float32Array, words: number): { inside: number; across: number } {
  const width = vectors.length / words;
  const sums = { inside: [0, 0], across: [0, 0] };
  for (let a = 0; a < words; a++) {
    for (let b = 0; b < a; b++) {
      let [ab, aa, bb] = [0, 0, 0];
      for (let d = 0; d < width; d++) {
        ab += vectors[a * width + d]! * vectors[b * width + d]!;
        aa += vectors[a * width + d]! ** 2;
        bb += vectors[b * width + d]! ** 2;
      }
      const sum = a < words / 2 === b < words / 2 ? sums.inside : sums.across;
      sum[0]! += ab / Math.sqrt(aa * bb);
      sum[1]!++;
    }
  }
  return { inside: sums.inside[0]! / sums.inside[1]!, across: sums.across[0]! / sums.across[1]! };
}

test.each([1, 2])('words that come together end together, with %i threads, and the loss falls', async (threads) => {
  const corpus = halves(2000, 40);
  const training = await open(corpus, { epochs: 8, dimension: 16 }, 3, threads);
  const losses = Array.from({ length: 8 }, () => training.epoch().loss);
  expect(losses.at(-1)!).toBeLessThan(0.97 * losses[0]!);
  const { inside, across } = meanCosines(training.vectors(), 40);
  expect(inside).toBeGreaterThan(across + 0.5);
});

test('frequent words are dropped by subsampling, rare ones never', () => {
  const corpus = corpusOf([[0, 0, 0, 0, 0, 0, 0, 0, 0, 1]], 2);
  const { keptLimits } = wordVectorPlan(corpus, { ...SETTINGS, subsample: 0.1 }, 1);
  // √(t/f) + t/f at f = 0.9, as gensim has it
  expect((keptLimits[0]! + 1) / 2 ** 32).toBeCloseTo(Math.sqrt(0.1 / 0.9) + 0.1 / 0.9, 6);
  expect(keptLimits[1]).toBe(2 ** 32 - 1);
});

test('a window longer than every sentence is all of it', async () => {
  const corpus = halves(30, 10);
  const wide = await open(corpus, { window: 50, shrinkWindow: false });
  const exact = await open(corpus, { window: 12, shrinkWindow: false });
  wide.epoch();
  exact.epoch();
  expect(wide.vectors()).toEqual(exact.vectors());
});

test.each([
  ['a vocabulary of one', corpusOf([[0, 0, 0]], 1), {}, /vocabulary of 1/],
  ['sentences of one token', corpusOf([[0], [1]], 2), {}, /nothing can be predicted/],
  ['no negatives', corpusOf([[0, 1]], 2), { negatives: 0 }, /negatives 0/],
  ['no window', corpusOf([[0, 1]], 2), { window: 0 }, /window 0/],
  ['a rising rate', corpusOf([[0, 1]], 2), { learningRate: 0.1, finalLearningRate: 0.2 }, /does not rise/],
])('%s is refused', (_, corpus, over, message) => {
  expect(() => wordVectorPlan(corpus, { ...SETTINGS, ...over }, 1)).toThrow(message);
});
