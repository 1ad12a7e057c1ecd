import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { datasetOf, selectionOf } from '../data/dataFiles.ts';
import { type GivenContext, lastValues, type Recorded, recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null });
const SMALL = await loadSequenceDataset(selectionOf('generated/markov-24x30'), { folders: [], cacheFolder: null });
const COMMON = { dimension: 8, epochs: 4, batchSize: 64, evaluateEvery: 2, checkpointEvery: 2 };
const SMOOTHED = { smoothing: { beta: 0.5, graph: { weights: { interactions: 1 } } } };
const KINDS: [string, Record<string, unknown>][] = [
  ['lightgcn', COMMON],
  ['lightgcn', { ...COMMON, optimizer: SMOOTHED }],
  ['ngcf', { ...COMMON, layers: [8, 6], optimizer: SMOOTHED }],
  ['dgcf', { ...COMMON, factors: 2 }],
  ['simgcl', { ...COMMON, views: 'two-draws' }],
];

let open: OpenBackend;
beforeAll(async () => {
  open = await openBackend({ forced: 'wasm', threads: 1 });
});
afterAll(() => open.close());

async function run(kind: string, parameters: Record<string, unknown>, over: GivenContext = {}): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, {
    openTensorBackend: async () => open,
    ...over,
  });
  await experimentOf(kind)(context);
  return recorded;
}

const numbers = ({ metrics }: Recorded) => metrics.filter(({ name }) => !/^(time|system)\//.test(name));
const losses = ({ metrics }: Recorded) => metrics.filter(({ name }) => name === 'train/loss').map(({ value }) => value);

describe.each(KINDS)('%s %o', (kind, parameters) => {
  test('goes on from each checkpoint to the same numbers, and leaves no tensors', async () => {
    const before = tf.memory().numTensors;
    const whole = await run(kind, parameters);
    expect(tf.memory().numTensors).toBe(before);
    expect(whole.checkpoints).toHaveLength(2);
    for (const checkpoint of whole.checkpoints) {
      const resumed = await run(kind, parameters, { checkpoint });
      const later = numbers(whole).filter(({ name, step }) => step > checkpoint.step || name.startsWith('test/'));
      expect(numbers(resumed)).toEqual(later);
      expect(resumed.artifacts).toEqual(whole.artifacts);
    }
  });
});

const ONE_OF_EACH = [...new Map(KINDS)];

test.each(ONE_OF_EACH)('%s ranks what users met above chance', async (kind, parameters) => {
  const values = lastValues(
    await run(kind, {
      ...parameters,
      ...{ batchSize: 256, epochs: 20, evaluateEvery: 20, optimizer: { learningRate: 0.1 } },
    }),
  );
  expect(values['test/hr@10']).toBeGreaterThan(1.5 * (10 / 60));
});

test.each(ONE_OF_EACH)('%s says where its loss ceases to be finite', async (kind, parameters) => {
  const optimizer = { method: 'sgd', learningRate: 100, momentum: 0.9, weightDecay: 10 };
  await expect(run(kind, { ...parameters, epochs: 100, optimizer })).rejects.toMatchObject({
    code: 'RUN_FAILED',
    message: expect.stringMatching(/diverged at step \d+.*nodes/),
  });
});

test.each(ONE_OF_EACH)('%s trains where users have one item and nodes no edge', async (kind, parameters) => {
  const dataset = datasetOf([[0, 1, 2], [3], [1, 0, 2, 1], [2, 0], [4, 4, 4, 4]], 7);
  const values = lastValues(await run(kind, { ...parameters, init: { method: 'uniform' } }, { dataset }));
  expect(values['train/loss']).toBeGreaterThan(0);
  expect(values['test/hr@10']).toBeGreaterThanOrEqual(0);
});

describe('on cpu', () => {
  const few = { evaluateEvery: 0, select: 'last', epochs: 2 };
  const onWasm = new Map<string, number[]>();
  beforeAll(async () => {
    for (const [kind, parameters] of ONE_OF_EACH) {
      onWasm.set(kind, losses(await run(kind, { ...parameters, ...few }, { dataset: SMALL })));
    }
    await open.close();
    open = await openBackend({ forced: 'cpu', threads: 1 });
  });

  test.each(ONE_OF_EACH)('%s has the loss curve that it has on wasm', async (kind, parameters) => {
    const onCpu = losses(await run(kind, { ...parameters, ...few }, { dataset: SMALL }));
    expect(onCpu).toHaveLength(2);
    for (const [epoch, loss] of onCpu.entries()) expect(onWasm.get(kind)![epoch]).toBeCloseTo(loss, 5);
  });
});
