import { describe, expect, test } from 'vitest';
import { featurizeSentimentKind } from '#src/catalog/kinds/featurizeSentiment.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { featurizingTableA1 } from '#src/catalog/published/featurizingTables.ts';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { loadLabelledText, type TextData } from '#workers/data/load/loadLabelledText.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { tf } from '#workers/tensor/tf.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { type GivenContext, lastValues, type Recorded, recordingContext } from './recordingContext.ts';

const NAME = 'generated/reviews-300x30';
const SMALL = {
  ...{ dimension: 4, vocabulary: 30, pretrainings: 2 },
  word2vec: { epochs: 3 },
  classifier: { units: 4, denseUnits: 3, learningRate: 0.02, weightDecays: [1e-5], epochs: 6, maximumLength: 20 },
};

/** What takes little where the result is no matter. */
const QUICK = { joint: false, classifier: { ...SMALL.classifier, epochs: 1 } };

const opened = lastBackend(1);

async function run(
  parameters: Record<string, unknown>,
  over: GivenContext = {},
  change: (data: TextData) => TextData = (data) => data,
): Promise<Recorded> {
  // as in a run: a kind of texts has no sequences
  const { recorded, context } = recordingContext<unknown>(datasetOf([], 0), parameters, {
    datasetName: NAME,
    texts: async (name) => change(await loadLabelledText(name, { folders: [] })),
    openTensorBackend: opened,
    ...over,
  });
  await experimentOf('featurize-sentiment')(context);
  return recorded;
}

const steps = (recorded: Recorded, name: string): number[] =>
  recorded.metrics.filter((point) => point.name === name).map(({ step }) => step);

describe('featurize-sentiment', () => {
  test('scores every row, leaves table and figures, and no tensor', async () => {
    await opened();
    const before = tf.memory().numTensors;
    const recorded = await run({
      ...SMALL,
      featureError: 0.9,
      classifier: { ...SMALL.classifier, units: 8, denseUnits: 8, epochs: 10, batchSize: 16 },
    });
    expect(tf.memory().numTensors).toBe(before);
    for (const row of ['h', 'phi-d', 'phi-2d', 'phi-epsilon', 'joint'])
      expect(steps(recorded, `${row}/accuracy`)).toEqual([0, 1]);
    expect(steps(recorded, 'avg-h/accuracy')).toEqual([0]);
    const metrics = lastValues(recorded);
    expect(metrics['joint/mean-accuracy']).toBeGreaterThan(0.7);
    expect(metrics['variance/hidden']).toBeGreaterThan(0);
    expect(metrics['variance/hidden-share']).toBeLessThanOrEqual(2);
    expect(recorded.notes.get('reviews')).toMatchObject({ all: 300, train: 240, validation: 30, test: 30 });
    const table = Buffer.from(recorded.artifacts.get('table-a1.csv')!).toString('utf8').trim().split('\n');
    expect(table.map((line) => line.split(',')[0])).toEqual([
      'representation',
      'h',
      'avg-h',
      'phi-d',
      'phi-2d',
      'phi-epsilon',
      'joint',
    ]);
    for (const figure of ['a1a', 'a1b-loss', 'a1b-accuracy', 'a1c']) {
      expect(recorded.artifacts.has(`figure-${figure}.svg`)).toBe(true);
    }
    expect(recorded.progress.at(-1)).toBe(1);
    expect(recorded.progress).toEqual([...recorded.progress].sort((a, b) => a - b));
  });

  test('goes on from every checkpoint to the same metrics and files', async () => {
    const whole = await run(SMALL);
    // two pretrainings, two classifiers for h and both φ, one for avg(h), two joint ones
    expect(whole.checkpoints).toHaveLength(2 + 7 + 2);
    const sorted = ({ metrics }: Recorded) => metrics.map((point) => JSON.stringify(point)).sort();
    for (const place of [1, 9]) {
      const resumed = await run(SMALL, { checkpoint: whole.checkpoints[place]! });
      expect(resumed.checkpoints).toHaveLength(10 - place);
      expect(sorted(resumed)).toEqual(sorted(whole));
      for (const name of ['table-a1.csv', 'features-of-first-pretraining.npy', 'figure-a1a.csv', 'figure-a1c.csv']) {
        expect(Buffer.compare(resumed.artifacts.get(name)!, whole.artifacts.get(name)!), name).toBe(0);
      }
    }
    const checkpoint = { step: 0, bytes: whole.checkpoints[3]!.bytes.slice(0, 900) };
    const damaged = await run({ ...SMALL, ...QUICK }, { checkpoint });
    expect(damaged.logs[0]).toMatch(/cannot be used: all is computed anew/);
    expect(steps(damaged, 'train/loss')).toEqual([0, 1]);
  });

  test('of several λ the one with the best validation accuracy is tested', async () => {
    const classifier = { ...SMALL.classifier, weightDecays: [10, 1e-5] };
    const recorded = await run({ ...SMALL, joint: false, classifier });
    const chosen = recorded.metrics.filter(({ name }) => name === 'h/weight-decay').map(({ value }) => value);
    const valid = recorded.metrics.filter(({ name }) => name === 'h/valid-accuracy').map(({ value }) => value);
    // a penalty of 10 leaves weights near 0, with which every review gets one answer
    for (const [i, value] of valid.entries()) if (value > 0.6) expect(chosen[i]).toBe(1e-5);
    expect(recorded.metrics.some(({ name }) => name.startsWith('joint'))).toBe(false);
    expect([...recorded.artifacts.keys()].some((name) => name.startsWith('figure'))).toBe(false);
  });

  test('reviews without a word are left out, and windows longer than all reviews are said', async () => {
    const quick = { ...SMALL, ...QUICK, word2vec: { epochs: 1, window: 99 } };
    const recorded = await run(quick, {}, (data) => ({ ...data, texts: ['...', ...data.texts.slice(1)] }));
    expect(recorded.logs.join('\n')).toMatch(/1 of 300 reviews have no word and are left out/);
    expect(recorded.logs.join('\n')).toMatch(/window of 99 is as long as the longest review, 40 words/);
  });

  test.each([
    ['one label', (data: TextData) => ({ ...data, classes: ['1'] }), /has the labels 1; expected two/],
    ['one label in training', (data: TextData) => ({ ...data, labels: data.labels.map(() => 1) }), /too few to train/],
    ['no words', (data: TextData) => ({ ...data, texts: data.texts.map(() => '?!') }), /has 0 reviews with words/],
    ['one word', (data: TextData) => ({ ...data, texts: data.texts.map(() => 'film film') }), /a vocabulary of 1/],
    ['single words', (data: TextData) => ({ ...data, texts: data.texts.map((_, i) => `w${i % 3}`) }), /nothing can be/],
  ])('refuses %s', async (_, change, message) => {
    await expect(run(SMALL, {}, change)).rejects.toThrow(message);
  });

  test('refuses inputs, and data that are no texts', async () => {
    await expect(run(SMALL, { inputs: new Map([['a', new Uint8Array(1)]]) })).rejects.toThrow(/its own word vectors/);
    const resolve = (kind: string, dataset: unknown) => () => resolveConfiguration({ kind, dataset });
    expect(resolve('featurize-sentiment', 'ml-1m')).toThrow(/holds sequences, but kind .* needs text, such as imdb/);
    expect(resolve('featurize-sentiment', 'generated/markov-small')).toThrow(/holds sequences/);
    expect(resolve('featurize-sentiment', { name: 'imdb-reviews-6k', core: 5 })).toThrow(/takes its texts as they are/);
    expect(resolve('featurize-sentiment', null)).toThrow(/needs one, such as imdb-reviews-6k/);
    expect(resolve('popularity', 'generated/reviews-small')).toThrow(/holds text, but kind popularity needs sequences/);
    expect(resolve('featurize-sentiment', 'own-reviews')().dataset).toMatchObject({ name: 'own-reviews' });
  });

  test.each([
    [{ dimension: 33 }, /an even number is expected/],
    [{ dimension: 0 }, /dimension/],
    [{ pretrainings: 1 }, /at least 2/],
    [{ vocabulary: 1 }, /vocabulary/],
    [{ classifier: { weightDecays: [1, 1] } }, /each value once/],
    [{ word2vec: { finalLearningRate: 1 } }, /at most the learningRate 0.025/],
  ])('refuses %j', (parameters, message) => {
    expect(() => parseParameters(featurizeSentimentKind, parameters)).toThrow(message);
  });

  test('stands beside Table A.1 where that prints a number', () => {
    const at = { dimension: 32, window: 4, negatives: 3 };
    expect(featurizingTableA1('h', at)).toEqual({ mean: 79.33, standardDeviation: 1.75 });
    expect(featurizingTableA1('phi-d', { ...at, dimension: 64 })).toEqual({ mean: 80.86, standardDeviation: 0.21 });
    expect(featurizingTableA1('joint', at)?.mean).toBe(86.25);
    expect([featurizingTableA1('phi-2d', at), featurizingTableA1('h', { ...at, dimension: 8 })]).toEqual([null, null]);
  });
});
