import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { presetByName } from '#src/catalog/kinds.ts';
import { featurizeGenreKind } from '#src/catalog/kinds/featurizeGenre.ts';
import { featurizeStabilityKind } from '#src/catalog/kinds/featurizeStability.ts';
import { item2VecKind } from '#src/catalog/kinds/item2Vec.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { decodeNpyTable } from '#src/base/contracts/npyTable.ts';
import { generatedItemTable } from '#workers/data/generate/generatedItemTable.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { featurize } from '#workers/math/random/randomFourierFeatures.ts';
import { normaliseRows } from '#workers/math/dense/normaliseRows.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { type GivenContext, lastValues, type Recorded, recordingContext } from './recordingContext.ts';

const NAME = 'generated/clusters-400x120';
const SMALL = { dimension: 8, epochs: 4, pretrainings: 3 };

async function run(kind: string, parameters: object, over: GivenContext = {}): Promise<Recorded> {
  const selection = datasetSelectionSchema.parse({ name: NAME, split: 'random-by-item' });
  const dataset = await loadSequenceDataset(selection, { folders: [], cacheFolder: null });
  const { recorded, context } = recordingContext<unknown>(dataset, parameters, {
    items: async () => generatedItemTable(NAME)!,
    split: { name: 'random-by-item', shares: { train: 0.8, validation: 0, test: 0.2 }, seed: 0 },
    ...over,
  });
  await experimentOf(kind)(context);
  return recorded;
}

test('item2vec leaves its embeddings as a matrix, the same for the same seed', async () => {
  const parameters = { dimension: 8, epochs: 3 };
  const recorded = await run('item2vec', parameters);
  const file = recorded.artifacts.get('item-embeddings.npy')!;
  expect(decodeNpyTable(file, 'x')).toMatchObject({ rows: 120, columns: 8 });
  const losses = recorded.metrics.filter(({ name }) => name === 'train/loss').map(({ value }) => value);
  expect(losses.length).toBe(3);
  expect(losses.at(-1)!).toBeLessThan(losses[0]!);
  expect((await run('item2vec', parameters)).artifacts.get('item-embeddings.npy')).toEqual(file);
  expect((await run('item2vec', parameters, { seed: 2 })).artifacts.get('item-embeddings.npy')).not.toEqual(file);
});

test.each([
  ['word2vec', {}],
  ['adam', { adam: { learningRate: 0.01, batchSize: 256 } }],
])('item2vec with %s goes on from a checkpoint to the same bits', async (method, own) => {
  const backend = method === 'adam' ? await openBackend({ forced: 'wasm', threads: 1 }) : null;
  const over = backend === null ? {} : { openTensorBackend: async () => backend };
  const parameters = { method, dimension: 8, epochs: 7, checkpointEvery: 3, ...own };
  try {
    const whole = await run('item2vec', parameters, over);
    expect(whole.checkpoints.map(({ step }) => step).slice(0, 2)).toEqual([3, 6]);
    const resumed = await run('item2vec', parameters, { ...over, checkpoint: whole.checkpoints[0]! });
    expect(resumed.artifacts.get('item-embeddings.npy')).toEqual(whole.artifacts.get('item-embeddings.npy')!);
    const losses = (one: Recorded) => one.metrics.filter(({ name }) => name === 'train/loss');
    expect(losses(resumed)).toEqual(losses(whole).slice(3));
    expect(resumed.notes.get('trainedEpochs')).toBe(7);
    const other = await run(
      'item2vec',
      { ...parameters, dimension: 4 },
      { ...over, checkpoint: whole.checkpoints[0]! },
    );
    expect(other.logs.join('\n')).toMatch(/checkpoint cannot be used: training starts anew/);
    expect(losses(other).length).toBe(7);
  } finally {
    await backend?.close();
  }
});

test('pretraining stops when the loss has stopped falling', async () => {
  const recorded = await run('item2vec', { dimension: 8, epochs: 50, minimumImprovement: 10, patience: 3 });
  expect(recorded.notes.get('trainedEpochs')).toBe(4);
});

test('with Adam the same objective falls, to the same numbers for the same seed, and no tensor is left', async () => {
  const backend = await openBackend({ forced: 'wasm', threads: 1 });
  try {
    const before = tf.memory().numTensors;
    const parameters = { method: 'adam', dimension: 8, epochs: 4, adam: { learningRate: 0.01, batchSize: 256 } };
    const over = { openTensorBackend: async () => backend };
    const recorded = await run('item2vec', parameters, over);
    const losses = recorded.metrics.filter(({ name }) => name === 'train/loss').map(({ value }) => value);
    // one positive and three negatives at score 0
    expect(losses[0]!).toBeLessThan(4 * Math.LN2);
    expect(losses.at(-1)!).toBeLessThan(losses[0]!);
    const file = recorded.artifacts.get('item-embeddings.npy');
    expect((await run('item2vec', parameters, over)).artifacts.get('item-embeddings.npy')).toEqual(file);
    expect(tf.memory().numTensors).toBe(before);
    const stopped = await run('item2vec', { ...parameters, epochs: 20, minimumImprovement: 10 }, over);
    expect(stopped.notes.get('trainedEpochs')).toBe(4);
  } finally {
    await backend.close();
  }
});

describe('genres', () => {
  test('clusters are told apart from all four representations, and φ can be rebuilt from what is stored', async () => {
    const recorded = await run('featurize-genre', { ...SMALL, epochs: 20 });
    const metrics = lastValues(recorded);
    for (const row of ['h', 'avg-h', 'phi-d', 'phi-2d'])
      expect(metrics[`${row}/mean-accuracy`], row).toBeGreaterThan(0.5);
    expect(recorded.metrics.filter(({ name }) => name === 'h/accuracy').map(({ step }) => step)).toEqual([0, 1, 2]);
    expect(recorded.metrics.filter(({ name }) => name === 'avg-h/accuracy').length).toBe(1);
    const map = JSON.parse(Buffer.from(recorded.artifacts.get('feature-map.json')!).toString('utf8'));
    expect(map).toEqual({ seed: 0, directions: 4, dimension: 8, sigma: 1, kernel: 'gaussian', orthogonal: false });
    expect(Buffer.from(recorded.artifacts.get('table-1.csv')!).toString('utf8').split('\n').length).toBe(10);
  });

  test('embeddings of other runs are taken as inputs', async () => {
    const parameters = { dimension: 8, epochs: 4 };
    const inputs = new Map<string, Uint8Array>();
    for (const seed of [1, 2]) {
      inputs.set(`run-${seed}`, (await run('item2vec', parameters, { seed })).artifacts.get('item-embeddings.npy')!);
    }
    const recorded = await run('featurize-genre', SMALL, { inputs });
    expect(recorded.metrics.filter(({ name }) => name === 'phi-d/accuracy').length).toBe(2);
    const map = JSON.parse(Buffer.from(recorded.artifacts.get('feature-map.json')!).toString('utf8'));
    const h = decodeNpyTable(inputs.get('run-1')!, 'h').values;
    const left = decodeNpyTable(recorded.artifacts.get('features-of-first-pretraining.npy')!, 'φ').values;
    const rebuilt = featurize(normaliseRows(h, 8), map);
    for (const [i, value] of left.entries()) expect(Math.abs(value - rebuilt[i]!)).toBeLessThan(1e-6);
    inputs.set('run-3', encodeNpy(new Float32Array(8 * 50), [50, 8]));
    await expect(run('featurize-genre', SMALL, { inputs })).rejects.toThrow(
      /run-3 has 50 vectors of length 8; expected 120/,
    );
  });

  test('an ε adds a row with as many directions as it asks for, and how far off they are is noted', async () => {
    const recorded = await run('featurize-genre', { ...SMALL, featureError: 0.5 });
    // ⌈8/0.25 ln(√8/0.5)⌉
    expect(recorded.notes.get('featureMaps')).toMatchObject({
      'phi-epsilon': { directions: 56 },
      'phi-d': { directions: 4 },
    });
    const noted = recorded.notes.get('featureError') as { largestErrorFound: number };
    expect(noted).toMatchObject({ epsilon: 0.5, by: 'rule', features: 112, rowsCompared: 100 });
    expect(noted.largestErrorFound).toBeGreaterThan(0);
    expect(noted.largestErrorFound).toBeLessThan(0.5);
    expect(recorded.metrics.filter(({ name }) => name === 'phi-epsilon/accuracy').map(({ step }) => step)).toEqual([
      0, 1, 2,
    ]);
    const table = Buffer.from(recorded.artifacts.get('table-1.csv')!).toString('utf8').trim().split('\n');
    expect(table.at(-1)).toMatch(/^phi-epsilon,macro-f1,.*,3,-,-$/);
    expect(recorded.progress.at(-1)).toBe(1);
  });

  test.each(['single', 'all'])('items of several genres: %s', async (genres) => {
    const items = async () =>
      new Map(
        [...generatedItemTable(NAME)!].map(([id, info]) => [
          id,
          { ...info, genres: Number(id) % 5 === 0 ? [...info.genres, 'fifth'] : info.genres },
        ]),
      );
    const recorded = await run('featurize-genre', { ...SMALL, genres }, { items });
    expect(lastValues(recorded)['h/mean-accuracy']).toBeGreaterThan(genres === 'all' ? 0.7 : 0.2);
    expect(recorded.notes.get('genreItems')).toMatchObject({ known: genres === 'single' ? 96 : 120 });
  });
});

/** Metric points in one order: a resumed run reports what it restores metric by metric. */
const points = ({ metrics }: Recorded) =>
  metrics.map(({ name, step, value }) => `${name} ${String(step).padStart(4, '0')} ${value}`).sort();

test('featurize-stability goes on from a checkpoint to the same numbers and figures', async () => {
  const whole = await run('featurize-stability', { ...SMALL, pairs: 200 });
  expect(whole.checkpoints.length).toBe(SMALL.pretrainings);
  const resumed = await run('featurize-stability', { ...SMALL, pairs: 200 }, { checkpoint: whole.checkpoints[1]! });
  expect(points(resumed)).toEqual(points(whole));
  for (const panel of ['1a', '1b', '1c', '1d', '1-downstream']) {
    const file = `figure-${panel}.csv`;
    expect(resumed.artifacts.get(file), file).toEqual(whole.artifacts.get(file)!);
  }
});

test('stability: entries of h vary more than inner products, and the panels of Figure 1 are left', async () => {
  const recorded = await run('featurize-stability', { ...SMALL, epochs: 12, pairs: 500 });
  const metrics = lastValues(recorded);
  // of three unit vectors the sample variances of the 8 entries add up to at most 3/2
  expect(metrics['variance/h']).toBeLessThan(1.5 / 8);
  expect(metrics['variance/inner-products']).toBeLessThan(metrics['variance/h']!);
  // Figure 1c is of h as it is trained, whose norms grow; directions are as random after one epoch as at the end
  const through = (name: string) => recorded.metrics.filter((one) => one.name === name).map(({ value }) => value);
  const raw = through('variance/raw-h-through-training');
  expect(raw.at(-1)).toBeGreaterThan(1.2 * raw[0]!);
  expect(Math.max(...through('variance/h-through-training'))).toBeLessThan(1.5 / 8);
  for (const panel of ['1a', '1b', '1c', '1d', '1-downstream']) {
    for (const type of ['svg', 'png', 'json', 'csv'])
      expect(recorded.artifacts.has(`figure-${panel}.${type}`)).toBe(true);
  }
});

test('a vocabulary of one, and sequences of one item, are refused; a window longer than all is said', async () => {
  const recorded = (rows: number[][]) =>
    recordingContext<unknown>(datasetOf(rows), { dimension: 4, epochs: 1, window: 9 });
  await expect(experimentOf('item2vec')(recorded([[0, 0, 0]]).context)).rejects.toThrow(/vocabulary of 1/);
  await expect(experimentOf('item2vec')(recorded([[0], [1]]).context)).rejects.toThrow(/nothing can be predicted/);
  const fine = recorded([
    [0, 1, 2],
    [2, 1],
  ]);
  await experimentOf('item2vec')(fine.context);
  expect(fine.recorded.logs.join()).toMatch(/window of 9 is as long as the longest sequence, 3 items/);
});

test.each([
  [item2VecKind, { finalLearningRate: 1 }, /at most the learningRate 0.025/],
  [item2VecKind, { method: 'adam', model: 'cbow' }, /skip-gram only/],
  [featurizeGenreKind, { dimension: 33 }, /an even number is expected/],
  [featurizeGenreKind, { orthogonal: true, kernel: 'cauchy' }, /gaussian is expected/],
  [featurizeGenreKind, { featureError: 1 }, /featureError/],
  [featurizeGenreKind, { featureError: 0.1 }, /asks for 12,914 directions by the rule.*at most 4,096.*0\.17 or more/],
  [
    featurizeGenreKind,
    { featureError: 0.5, featureErrorBy: 'bound' },
    /directions by the bound.*or featureErrorBy rule/,
  ],
  [featurizeGenreKind, { featureError: 0.9, dimension: 4096 }, /a smaller dimension or sigmaSquared/],
  [featurizeGenreKind, { featureError: 0.5, kernel: 'laplace' }, /of the gaussian kernel, not of laplace/],
  [featurizeStabilityKind, { pretrainings: 1 }, /at least 2/],
] as const)('%# contradictions are refused', (kind, parameters, message) => {
  expect(() => parseParameters<z.ZodObject>(kind, parameters)).toThrow(message);
});

test('theory: wide outputs reach the limit of the descending recursion, and the bounds that hold are kept', async () => {
  const { recorded, context } = recordingContext<unknown>(datasetOf([[0]], 1), {
    ...{ trials: 40, widths: [16, 64, 256], samples: [50, 100], features: [16, 64], dimension: 20, sparsity: 3 },
  });
  await experimentOf('featurize-theory')(context);
  const metrics = lastValues(recorded);
  expect(metrics['proposition-1/supremum-slope']).toBeLessThan(-0.25);
  expect(metrics['proposition-1/bound-as-printed-slope']).toBeGreaterThan(-0.05);
  expect(metrics['proposition-1/broken-share']).toBeLessThanOrEqual(0.1);
  expect(recorded.notes.get('proposition1')).toMatchObject({ family: 64, delta: 0.1 });
  expect(recorded.artifacts.has('proposition-1.svg')).toBe(true);
  expect(metrics['proposition-2/slope']).toBeLessThan(-0.3);
  expect(metrics['proposition-2/error']).toBeLessThan(0.5 * metrics['proposition-2/error-as-printed']!);
  expect(metrics['proposition-2/hidden-deviation']).toBeGreaterThan(0.3);
  expect(metrics['proposition-3/least-ratio-to-bound']).toBeGreaterThan(0);
  expect(metrics['proposition-4/sampling-error']).toBeLessThan(metrics['proposition-4/difference-over-ball']!);
  for (const { step, value } of recorded.metrics.filter(({ name }) => name === 'lemma-1/broken-share')) {
    expect(value).toBeLessThanOrEqual(step / 100);
  }
});

test('the demonstrations are there', () => {
  expect(presetByName(featurizeGenreKind, 'demo/featurize-genre-generated').dataset).toMatch(/^generated/);
});
