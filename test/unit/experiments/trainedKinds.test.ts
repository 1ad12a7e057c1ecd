import { describe, expect, test } from 'vitest';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { tf } from '#workers/tensor/tf.ts';
import { datasetOf, selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import {
  type GivenContext,
  cancellationWhen,
  lastValues,
  type Recorded,
  recordingContext,
} from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null });
const SMALL = await loadSequenceDataset(selectionOf('generated/markov-12x30'), { folders: [], cacheFolder: null });
const COMMON = { dimension: 8, epochs: 4, batchSize: 32, evaluateEvery: 2, checkpointEvery: 2, maximumLength: 12 };
/** Masks that change within an epoch. */
const MASKED = {
  batchSize: 16,
  anchors: 4,
  maskDepth: 2,
  maskSteps: 3,
  reconstructionEdges: 16,
  reconstructionNegatives: 4,
};
const KINDS: [string, Record<string, unknown>][] = [
  ['sasrec', { ...COMMON, heads: 2 }],
  ['gru4rec', { ...COMMON, hiddenSize: 12 }],
  ['gru4rec', { ...COMMON, samples: 'positions', loss: 'softmax', layers: 2 }],
  ['sasrec', { ...COMMON, optimizer: { smoothing: { beta: 0.9, graph: { weights: { neighbours: 0.5 } } } } }],
  ['finite-rnn', { ...COMMON, optimizer: { learningRate: 0.02 } }],
  ['sr-gnn', { ...COMMON, steps: 2, samples: 'positions', optimizer: { learningRate: 0.02 } }],
  ['lessr', { ...COMMON, layers: 2, samples: 'positions', optimizer: { learningRate: 0.02 } }],
  ['maerec', { ...COMMON, ...MASKED, heads: 2, optimizer: { smoothing: { beta: 0.5 } } }],
  ['bsarec', { ...COMMON, cutoff: 3, batchSize: 256, optimizer: { learningRate: 0.02 } }],
  ['cl4srec', { ...COMMON, heads: 2, optimizer: { smoothing: { beta: 0.5 } } }],
  ['bert4rec', { ...COMMON, heads: 2, maskRate: 0.3, optimizer: { smoothing: { beta: 0.5 } } }],
  ['stosa', { ...COMMON, heads: 2, negatives: 2, optimizer: { smoothing: { beta: 0.5 } } }],
];

const opened = lastBackend(1);

interface RunOptions {
  parameters?: Record<string, unknown>;
  backend?: 'cpu' | 'wasm';
  over?: GivenContext;
}

async function run(kind: string, { parameters = {}, backend = 'wasm', over = {} }: RunOptions = {}): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, {
    openTensorBackend: () => opened(backend),
    ...over,
  });
  await experimentOf(kind)(context);
  return recorded;
}

/** What must not depend on the clock. */
function numbers(recorded: Recorded) {
  return recorded.metrics.filter(({ name }) => !/^(time|system)\//.test(name));
}

function series(recorded: Recorded, name: string): number[] {
  return recorded.metrics.filter((metric) => metric.name === name).map(({ value }) => value);
}

describe.each(KINDS)('%s %o', (kind, parameters) => {
  let whole: Recorded;

  test('streams metrics by epoch, tests at the last step, leaves embeddings and no tensors', async () => {
    await opened('wasm');
    const before = tf.memory().numTensors;
    whole = await run(kind, { parameters });
    const steps = (name: string) => whole.metrics.filter((metric) => metric.name === name).map(({ step }) => step);
    for (const name of ['train/loss', 'time/epoch', 'system/tokens_per_second']) {
      expect(steps(name)).toEqual([1, 2, 3, 4]);
    }
    expect(steps('valid/ndcg@10')).toEqual([2, 4]);
    expect(steps('test/ndcg@10')).toEqual([4]);
    expect(whole.checkpoints.map(({ step }) => step)).toEqual([2, 4]);
    expect(Buffer.from(whole.artifacts.get('item-embeddings.npy')!).toString('latin1')).toContain("'shape': (60, 8)");
    expect(tf.memory().numTensors).toBe(before);
  });

  test('goes on from each checkpoint to the same numbers to the bit', async () => {
    for (const checkpoint of whole.checkpoints) {
      const resumed = await run(kind, { parameters, over: { checkpoint } });
      const later = numbers(whole).filter(({ name, step }) => step > checkpoint.step || name.startsWith('test/'));
      expect(numbers(resumed)).toEqual(later);
      expect(resumed.artifacts).toEqual(whole.artifacts);
      expect(resumed.checkpoints).toEqual(whole.checkpoints.filter(({ step }) => step > checkpoint.step));
    }
  });

  test('has one loss curve on every backend, where wasm computes on two threads', async () => {
    // Short sequences: plain JavaScript takes most of the time of this file.
    const few = { ...parameters, batchSize: 16, maximumLength: 6, epochs: 2, evaluateEvery: 0, select: 'last' };
    const onTwoThreads = { dataset: SMALL, openTensorBackend: () => opened('wasm', 2) };
    const onWasm = series(await run(kind, { parameters: few, over: onTwoThreads }), 'train/loss');
    const onCpu = series(await run(kind, { parameters: few, over: { dataset: SMALL }, backend: 'cpu' }), 'train/loss');
    expect(onCpu).toHaveLength(2);
    for (const [epoch, loss] of onCpu.entries()) expect(onWasm[epoch]).toBeCloseTo(loss, 5);
  });
});

test('all networks learn the transitions that the sequences were made by', async () => {
  // one of each kind
  for (const [kind, parameters] of new Map(KINDS)) {
    const more = { epochs: 16, evaluateEvery: 16, optimizer: { learningRate: 0.01, weightDecay: 0 } };
    const values = lastValues(await run(kind, { parameters: { ...parameters, ...more } }));
    expect(values['valid/hr@10'], kind).toBeGreaterThan(2 * (10 / 60));
  }
});

test('stops early and tests the parameters of the best validation', async () => {
  const parameters = { ...COMMON, epochs: 200, patience: 2, optimizer: { learningRate: 0.03, weightDecay: 0 } };
  const stopped = await run('sasrec', { parameters });
  const scores = stopped.metrics.filter(({ name }) => name === 'valid/ndcg@10');
  const best = scores.reduce((a, b) => (b.value > a.value ? b : a));
  expect(scores.at(-1)!.step).toBe(best.step + 4);
  expect(stopped.notes.get('testedEpoch')).toBe(best.step);
  const until = await run('sasrec', { parameters: { ...parameters, epochs: best.step, patience: 0, select: 'last' } });
  expect(stopped.artifacts.get('item-embeddings.npy')).toEqual(until.artifacts.get('item-embeddings.npy'));
});

test('smoothing makes variations smoother and leaves what is not asked for as it was', async () => {
  const smoothed = await run('sasrec', { parameters: { ...COMMON, optimizer: { smoothing: { beta: 0.9 } } } });
  const of = (name: string) => series(smoothed, `smoothness/${name}`);
  expect(of('embedding')).toHaveLength(4);
  for (const [epoch, after] of of('smoothed').entries()) expect(after).toBeLessThan(of('variation')[epoch]!);
  expect(smoothed.notes.get('smoothingGraph')).toMatchObject({ nodes: 60 });
  const plain = await run('sasrec', { parameters: COMMON });
  expect(plain.metrics.some(({ name }) => name.startsWith('smoothness/'))).toBe(false);
  const nothing = { smoothing: { beta: 0, momentCorrection: false } };
  const still = await run('sasrec', { parameters: { ...COMMON, optimizer: nothing } });
  for (const [epoch, loss] of series(still, 'train/loss').entries()) {
    expect(loss).toBeCloseTo(series(plain, 'train/loss')[epoch]!, 5);
  }
});

test('genres are a graph where they are known, and the iterative form warns of Theorem 1', async () => {
  const items = async () =>
    new Map(DATASET.itemIds.map((id, item) => [id, { title: id, genres: [`genre ${item % 3}`] }]));
  const smoothing = { form: 'iterative', beta: 0.6, graph: { weights: { transitions: 0, genres: 1 } } };
  const parameters = { ...COMMON, epochs: 1, optimizer: { smoothing } };
  const recorded = await run('gru4rec', { parameters, over: { items } });
  expect(recorded.notes.get('smoothingGraph')).toMatchObject({ components: 3, largestComponent: 20 });
  expect(recorded.logs.join()).toMatch(/diverges \(SEvo, Theorem 1\)/);
  await expect(run('gru4rec', { parameters })).rejects.toMatchObject({ code: 'DATA_ERROR' });
});

test('a checkpoint of another network is said so, and training starts anew', async () => {
  const [, parameters] = KINDS[0]!;
  const [checkpoint] = (await run('sasrec', { parameters: { ...parameters, dimension: 4 } })).checkpoints;
  const resumed = await run('sasrec', { parameters, over: { checkpoint: checkpoint! } });
  expect(resumed.logs[0]).toMatch(/checkpoint of step 2 cannot be used: training starts anew/);
  expect(numbers(resumed)).toEqual(numbers(await run('sasrec', { parameters })));
});

test('a loss that is not finite ends the run with step, batch and norms', async () => {
  const optimizer = { method: 'sgd', learningRate: 100, momentum: 0.9, weightDecay: 10 };
  await expect(run('gru4rec', { parameters: { ...COMMON, epochs: 60, optimizer } })).rejects.toMatchObject({
    code: 'RUN_FAILED',
    message: expect.stringMatching(/diverged at step \d+, epoch \d+, batch \d+ of \d+: the loss is .*items .*gradient/),
  });
});

test('a cancellation is noticed inside an epoch', async () => {
  let asked = 0;
  const cancellation = cancellationWhen(() => ++asked > 2);
  const { recorded, context } = recordingContext<unknown>(DATASET, COMMON, {
    cancellation,
    openTensorBackend: () => opened('wasm'),
  });
  await expect(experimentOf('sasrec')(context)).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(recorded.metrics).toEqual([]);
});

test.each([
  [{ heads: 3, dimension: 8 }, /heads.*divisor of dimension/],
  [{ evaluateEvery: 0 }, /select.*last is expected/],
  [{ dropout: 1 }, /dropout.*less than 1/],
  [{ optimizer: { method: 'adam', momentum: 0.9 } }, /optimizer\.momentum.*0 is expected/],
  [{ optimizer: { learningRate: 0 } }, /optimizer\.learningRate.*more than 0/],
  [{ optimizer: { smoothing: { beta: 1 } } }, /optimizer\.smoothing\.beta.*less than 1/],
  [{ init: { frozen: true }, optimizer: { smoothing: {} } }, /optimizer\.smoothing.*nothing to smooth/],
  [{ optimizer: { smoothing: { layers: -1 } } }, /optimizer\.smoothing\.layers.*at least 0/],
  [{ optimizer: { smoothing: { graph: { weights: { transitions: 0 } } } } }, /graph\.weights.*one weight above 0/],
  [{ optimizer: { smoothing: { graph: { weights: { interactions: 1 } } } } }, /weights\.interactions.*0 is expected/],
  [{ init: { method: 'ones' } }, /init\.method.*xavier-normal/],
])('refuses %o', async (parameters, message) => {
  await expect(run('sasrec', { parameters })).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringMatching(message),
  });
});

test('says so when nobody has anything to learn from', async () => {
  const dataset = datasetOf([
    [0, 1, 2],
    [2, 1, 0],
  ]);
  await expect(run('sasrec', { over: { dataset } })).rejects.toMatchObject({ code: 'DATA_ERROR' });
});
