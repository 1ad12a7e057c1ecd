import { expect, test } from 'vitest';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { tf } from '#workers/tensor/tf.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { type Recorded, recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null });
const WIDTHS = [2, 12, 5];
const SMALL = {
  widths: WIDTHS,
  epochs: 6,
  batchSize: 32,
  evaluateEvery: 2,
  checkpointEvery: 2,
  maximumLength: 12,
  optimizer: { learningRate: 0.02 },
};

const opened = lastBackend(2);

async function run(
  parameters: Record<string, unknown>,
  over: Partial<ExperimentContext<unknown>> = {},
): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, {
    openTensorBackend: opened,
    ...over,
  });
  await experimentOf('finite-rnn')(context);
  return recorded;
}

/** Value by step of a metric, by rising step. */
function series(recorded: Recorded, name: string): [number, number][] {
  const points = new Map(recorded.metrics.filter((one) => one.name === name).map(({ step, value }) => [step, value]));
  return [...points].sort(([a], [b]) => a - b);
}

/** All that must not depend on the clock, in no order: a run that goes on reports the finished widths again. */
function numbers(recorded: Recorded) {
  const points = recorded.metrics.filter(({ name }) => !/(^|\/)(time|system)\//.test(name));
  return [...new Set(points.map(({ name, step, value }) => `${name} ${step} ${value}`))].sort();
}

const whole = await run(SMALL);

test('three widths are trained upwards and leave curves, figures, a table, and no tensors', async () => {
  for (const width of WIDTHS) {
    expect(series(whole, `w${width}/train/loss`).map(([epoch]) => epoch)).toEqual([1, 2, 3, 4, 5, 6]);
    const [[, first], last] = [
      series(whole, `w${width}/train/loss`)[0]!,
      series(whole, `w${width}/train/loss`).at(-1)!,
    ];
    expect(last[1]).toBeLessThan(first);
    for (const part of ['valid', 'test']) {
      expect(series(whole, `w${width}/${part}/ndcg@10`).map(([epoch]) => epoch)).toEqual([2, 4, 6]);
    }
  }
  for (const name of ['best/mrr@10', 'best/ndcg@10', 'last/mrr@10', 'last/ndcg@10', 'train/loss', 'trained-numbers']) {
    expect(series(whole, name).map(([width]) => width)).toEqual([2, 5, 12]);
  }
  for (const [width, value] of series(whole, 'last/ndcg@10')) {
    expect(series(whole, `w${width}/test/ndcg@10`).at(-1)).toEqual([6, value]);
  }
  for (const [width, value] of series(whole, 'best/ndcg@10')) {
    const [chosen] = series(whole, `w${width}/valid/ndcg@10`).reduce((a, b) => (b[1] > a[1] ? b : a));
    expect(series(whole, `w${width}/test/ndcg@10`)).toContainEqual([chosen, value]);
  }
  expect(series(whole, 'trained-numbers')[1]![1]).toBe(60 * 5 + 5 * 5 + 5);
  for (const figure of ['figure-1', 'figure-4-mrr', 'figure-4-loss', 'epochs-ndcg', 'epochs-loss']) {
    for (const form of ['svg', 'png', 'json', 'csv'])
      expect([...whole.artifacts.keys()]).toContain(`${figure}.${form}`);
  }
  const rows = Buffer.from(whole.artifacts.get('widths.csv')!).toString('utf8').trim().split('\n');
  expect(rows.map((row) => row.split(',')[0])).toEqual(['width', '2', '5', '12']);
  await opened();
  const before = tf.memory().numTensors;
  await run({ ...SMALL, widths: [3], epochs: 2 }, { openTensorBackend: opened });
  expect(tf.memory().numTensors).toBe(before);
});

test('the line of the kernel is what overrec finds on the same data', async () => {
  const { recorded, context } = recordingContext<unknown>(DATASET, { maximumLength: 12 });
  await experimentOf('overrec')(context);
  for (const name of ['mrr@10', 'ndcg@10']) {
    expect(series(whole, `overrec/${name}`)).toEqual(series(recorded, `test/${name}`));
  }
  const without = await run({ ...SMALL, widths: [2], comparesKernel: false });
  expect(series(without, 'overrec/ndcg@10')).toEqual([]);
});

test('goes on from checkpoints within and at the end of a width to the same numbers and figures', async () => {
  expect(whole.checkpoints).toHaveLength(9);
  for (const checkpoint of [whole.checkpoints[0]!, whole.checkpoints[4]!, whole.checkpoints[8]!]) {
    const resumed = await run(SMALL, { checkpoint });
    expect(numbers(resumed)).toEqual(numbers(whole));
    for (const name of ['figure-1.csv', 'figure-4-loss.csv', 'epochs-ndcg.csv']) {
      expect(resumed.artifacts.get(name)).toEqual(whole.artifacts.get(name));
    }
  }
});

test.each([
  ['of other bytes', Buffer.from('no checkpoint')],
  ['cut short', Buffer.from(whole.checkpoints[3]!.bytes).subarray(0, 40)],
])('a checkpoint %s is said so, and all is trained anew', async (_, bytes) => {
  const resumed = await run({ ...SMALL, widths: [2] }, { checkpoint: { step: 0, bytes } });
  expect(resumed.logs[0]).toMatch(/checkpoint cannot be used: all widths are trained anew/);
  expect(series(resumed, 'w2/train/loss')).toEqual(series(whole, 'w2/train/loss'));
});

test('the NTK parametrisation, untied and of two layers, learns too', async () => {
  const parameters = { parametrisation: 'ntk', sigmaW: 1.4, tiesEmbeddings: false, layers: 2, loss: 'bpr' };
  const recorded = await run({ ...SMALL, ...parameters, widths: [16], epochs: 12, comparesKernel: false });
  const losses = series(recorded, 'w16/train/loss').map(([, value]) => value);
  expect(losses.at(-1)).toBeLessThan(0.9 * losses[0]!);
});

test('a rate at which training diverges learns once gradients are clipped', async () => {
  const optimizer = { method: 'sgd', learningRate: 100 };
  const given = { ...SMALL, widths: [16], comparesKernel: false };
  await expect(run({ ...given, optimizer })).rejects.toMatchObject({ code: 'RUN_FAILED' });
  const clipped = await run({ ...given, optimizer: { ...optimizer, maximumGradientNorm: 0.005 } });
  const losses = series(clipped, 'w16/train/loss').map(([, value]) => value);
  expect(losses.at(-1)).toBeLessThan(losses[0]! - 0.1);
});

test.each([
  [{ widths: [] }, /widths/],
  [{ widths: [0] }, /widths/],
  [{ evaluateEvery: 0 }, /evaluateEvery/],
  [{ activation: 'sigmoid' }, /activation.*relu/],
  [{ select: 'last' }, /select/],
  [{ sigmaW: -1 }, /sigmaW/],
  [{ optimizer: { maximumGradientNorm: 0 } }, /maximumGradientNorm/],
])('refuses %o', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringMatching(message) });
});
