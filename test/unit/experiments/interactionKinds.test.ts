import { describe, expect, test } from 'vitest';
import { sharesOf } from '#src/catalog/datasetSelection.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { tf } from '#workers/tensor/tf.ts';
import { datasetOf, selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { type GivenContext, lastValues, type Recorded, recordingContext } from './recordingContext.ts';

const split = { name: 'ratio-by-time', shares: sharesOf(selectionOf('x', { split: 'ratio-by-time' })) } as const;
const FOLDERS = { folders: [], cacheFolder: null };
const DATASET = await loadSequenceDataset(selectionOf('generated/markov-60x40'), FOLDERS);
const COMMON = { dimension: 8, epochs: 4, batchSize: 64, evaluateEvery: 2, checkpointEvery: 2, excludeSeen: true };
const KINDS: [string, Record<string, unknown>][] = [
  ['dlr2', { ...COMMON, channels: 8, tower: [16, 8] }],
  ['ncf', { ...COMMON, layers: [8, 4] }],
  ['hgn', { ...COMMON, targets: 1 }],
  ['ncf', { ...COMMON, layers: [8, 4], optimizer: { smoothing: { beta: 0.5 } } }],
];

const opened = lastBackend(1);

interface RunOptions {
  parameters?: Record<string, unknown>;
  backend?: 'cpu' | 'wasm';
  over?: GivenContext;
}

async function run(kind: string, { parameters = {}, backend = 'wasm', over = {} }: RunOptions = {}): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, {
    split,
    openTensorBackend: () => opened(backend),
    ...over,
  });
  await experimentOf(kind)(context);
  return recorded;
}

const numbers = ({ metrics }: Recorded) => metrics.filter(({ name }) => !/^(time|system)\//.test(name));
const series = (recorded: Recorded, wanted: string): number[] =>
  recorded.metrics.filter(({ name }) => name === wanted).map(({ value }) => value);

describe.each(KINDS)('%s %o', (kind, parameters) => {
  test('goes on from a checkpoint to the same numbers to the bit, and leaves no tensors', async () => {
    await opened('wasm');
    const before = tf.memory().numTensors;
    const whole = await run(kind, { parameters, over: { openTensorBackend: () => opened('wasm') } });
    expect(tf.memory().numTensors).toBe(before);
    expect(series(whole, 'valid/ndcg@10')).toHaveLength(2);
    const [checkpoint] = whole.checkpoints;
    const resumed = await run(kind, { parameters, over: { checkpoint: checkpoint! } });
    expect(numbers(resumed)).toEqual(
      numbers(whole).filter(({ name, step }) => step > checkpoint!.step || name.startsWith('test/')),
    );
    expect(resumed.artifacts).toEqual(whole.artifacts);
  });

  test('has one loss curve on every backend', async () => {
    const few = { ...parameters, epochs: 2, evaluateEvery: 0, select: 'last' };
    const onWasm = series(await run(kind, { parameters: few }), 'train/loss');
    const onCpu = series(await run(kind, { parameters: few, backend: 'cpu' }), 'train/loss');
    for (const [epoch, loss] of onCpu.entries()) expect(onWasm[epoch]).toBeCloseTo(loss, 5);
  });

  test('starts from LEPORID, and leaves it as it is when it is frozen', async () => {
    const init = { method: 'leporid', neighbours: 10, frozen: true };
    const recorded = await run(kind, { parameters: { ...parameters, optimizer: {}, init } });
    const again = await run(kind, { parameters: { ...parameters, optimizer: {}, epochs: 2, init } });
    const files = [...recorded.artifacts.keys()].filter((name) => name.endsWith('-embeddings.npy'));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(again.artifacts.get(file)).toEqual(recorded.artifacts.get(file));
  });
});

test('networks of items in order learn the transitions that sequences were made by', async () => {
  const dataset = await loadSequenceDataset(selectionOf('generated/markov-120x60'), FOLDERS);
  const popularity = lastValues(await run('popularity', { parameters: { excludeSeen: true }, over: { dataset } }));
  const more = { ...COMMON, dimension: 16, evaluateEvery: 6, optimizer: { learningRate: 0.01, weightDecay: 0 } };
  for (const [kind, own] of [
    ['dlr2', { channels: 16, tower: [32, 16], epochs: 18 }],
    ['hgn', { targets: 1, epochs: 12 }],
  ] as const) {
    const values = lastValues(await run(kind, { parameters: { ...more, ...own }, over: { dataset } }));
    expect(values['test/ndcg@10'], kind).toBeGreaterThan(1.15 * popularity['test/ndcg@10']!);
  }
});

test.each(['dlr2', 'ncf', 'hgn'])('%s smooths the variations of all its embeddings of items', async (kind) => {
  const optimizer = { smoothing: { beta: 0.9 } };
  const recorded = await run(kind, { parameters: { ...COMMON, epochs: 2, optimizer } });
  const smoothed = recorded.metrics.filter(({ name }) => /^smoothness\/.*smoothed$/.test(name));
  const variations = recorded.metrics.filter(({ name }) => /^smoothness\/.*variation$/.test(name));
  expect(smoothed.length).toBe(kind === 'dlr2' ? 2 : 4);
  for (const [at, { value }] of smoothed.entries()) expect(value).toBeLessThan(variations[at]!.value);
});

test.each([
  ['dlr2', { losses: 'generative' }, /inference.*generative is expected/],
  ['dlr2', { channels: 7 }, /channels/],
  ['hgn', { optimizer: { smoothing: { graph: { weights: { interactions: 1 } } } } }, /weights\.interactions/],
])('%s refuses %o', async (kind, parameters, message) => {
  await expect(run(kind, { parameters })).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringMatching(message),
  });
});

test('says so when nobody has anything to learn from', async () => {
  const dataset = datasetOf(
    [
      [0, 1],
      [1, 2],
    ],
    4,
  );
  await expect(run('dlr2', { over: { dataset } })).rejects.toMatchObject({ code: 'DATA_ERROR' });
});
