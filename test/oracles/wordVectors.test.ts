import { expect, test } from 'vitest';
import { z } from 'zod';
import { WordVectors } from '#workers/features/wordVectors.ts';
import { ReferenceWordVectors } from '#test/unit/features/wordVectorsReference.ts';
import given from './wordVectors.json';

const matrix = z.array(z.array(z.number()));
const { sentence, words, settings, cases } = z
  .object({
    sentence: z.array(z.number()),
    words: z.number(),
    settings: z.object({
      window: z.number(),
      dimension: z.number(),
      learningRate: z.number(),
      epochs: z.number(),
      negativePower: z.number(),
    }),
    cases: z.array(
      z.object({
        model: z.enum(['cbow', 'pv-dm']),
        contextUpdate: z.enum(['whole', 'divided']),
        inputs0: matrix,
        outputs0: matrix,
        inputs: matrix,
        outputs: matrix,
      }),
    ),
  })
  .parse(given);

const stride = 4 * Math.ceil(settings.dimension / 4);
/** (rows, stride) */
const padded = (rows: readonly number[][]): Float32Array =>
  Float32Array.from(rows.flatMap((row) => [...row, ...new Array<number>(stride - row.length).fill(0)]));

function expectNear(found: Float32Array, expected: readonly number[][]): void {
  expect(found).toHaveLength(expected.length * stride);
  for (const [at, value] of padded(expected).entries()) expect(Math.abs(found[at]! - value)).toBeLessThan(2e-6);
}

test.each(cases)('$model, updates $contextUpdate, ends where numpy and gensim do', async (sample) => {
  const { model, contextUpdate, inputs0, outputs0, inputs, outputs } = sample;
  const corpus = { offsets: Uint32Array.of(0, sentence.length), tokens: Uint32Array.from(sentence), words };
  const schedule = { finalLearningRate: settings.learningRate, shrinkWindow: false, weightDecay: 0, subsample: 0 };
  const whole = { ...settings, ...schedule, negatives: 1, model, contextUpdate };

  const reference = new ReferenceWordVectors(corpus, whole, 1);
  reference.inputs.set(padded(inputs0));
  reference.outputs.set(padded(outputs0));
  const training = await WordVectors.open(corpus, whole, { seed: 1, threads: 1 });
  try {
    expect(training.restore({ ...training.state(), tables: [padded(inputs0), padded(outputs0)] })).toBe(true);
    for (let epoch = 0; epoch < settings.epochs; epoch++) {
      reference.epoch();
      training.epoch();
    }
    const { tables } = training.state();
    expectNear(tables[0], inputs);
    expectNear(tables[1], outputs);
  } finally {
    await training.close();
  }
  expectNear(reference.inputs, inputs);
  expectNear(reference.outputs, outputs);
});
