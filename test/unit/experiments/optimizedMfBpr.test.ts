import { expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '#workers/tensor/tf.ts';
import { tripleBatches } from '#workers/training/batches/tripleBatches.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { type GivenContext, lastValues, type Recorded, recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null });
const COMMON = { dimension: 8, epochs: 6, batchSize: 64, evaluateEvery: 2, checkpointEvery: 2, patience: 10 };
const ITEMS = { smoothing: { beta: 0.9 } };
const USERS = { smoothing: { beta: 0.9, graph: { weights: { interactions: 1, transitions: 0.5 } } } };

const openTensorBackend = lastBackend(1);

async function run(parameters: Record<string, unknown>, over: GivenContext = {}): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, { openTensorBackend, ...over });
  await experimentOf('mf-bpr')(context);
  return recorded;
}

/** What must not depend on the clock. */
function numbers(recorded: Recorded) {
  return recorded.metrics.filter(({ name }) => !/^(time|system)\//.test(name));
}

test.each([
  ['none', {}],
  ['items', ITEMS],
  ['users and items', USERS],
])(
  'smoothed over %s it goes on from each checkpoint to the same numbers, and leaves no tensors',
  async (_, optimizer) => {
    const parameters = { ...COMMON, optimizer };
    await openTensorBackend();
    const before = tf.memory().numTensors;
    const whole = await run(parameters);
    expect(tf.memory().numTensors).toBe(before);
    expect(whole.checkpoints).toHaveLength(3);
    for (const checkpoint of whole.checkpoints) {
      const resumed = await run(parameters, { checkpoint });
      const later = numbers(whole).filter(({ name, step }) => step > checkpoint.step || name.startsWith('test/'));
      expect(numbers(resumed)).toEqual(later);
      expect(resumed.artifacts).toEqual(whole.artifacts);
    }
  },
);

test('one table of users and items trains as two do where nothing is smoothed', async () => {
  const nothing = { beta: 0, momentCorrection: false };
  const plain = await run({ ...COMMON, optimizer: {} });
  const joint = { smoothing: { ...nothing, graph: { weights: { interactions: 1 } } } };
  const losses = (recorded: Recorded) => recorded.metrics.filter(({ name }) => name === 'train/loss');
  for (const [epoch, { value }] of losses(await run({ ...COMMON, optimizer: joint })).entries()) {
    expect(value).toBeCloseTo(losses(plain)[epoch]!.value, 5);
  }
});

test('it learns who meets what, and smoothing over users and items has a node for each', async () => {
  const parameters = { ...COMMON, epochs: 40, optimizer: { ...USERS, learningRate: 0.02 } };
  const recorded = await run(parameters);
  expect(lastValues(recorded)['train/loss']).toBeLessThan(0.5);
  expect(recorded.notes.get('smoothingGraph')).toMatchObject({ nodes: 180 });
});

test('triples are of items that the user trains on and others that it does not', () => {
  const split = leaveOneOut(DATASET);
  const count = split.trainEnd.reduce((sum, end, user) => sum + end - DATASET.offsets[user]!, 0);
  for (const triples of ['users', 'interactions'] as const) {
    const source = tripleBatches(split, { batchSize: 100, triples });
    const streams = { order: randomGenerator(1, 'order'), negatives: randomGenerator(1, 'negatives') };
    const batches = [...source.epoch(streams)];
    expect(batches).toHaveLength(source.batchesPerEpoch);
    const pairs = new Map<string, number>();
    for (const { users, items, others } of batches) {
      for (const [at, user] of users.entries()) {
        const known = trainingItems(split, user);
        expect(known).toContain(items[at]);
        expect(known).not.toContain(others[at]);
        pairs.set(`${user} ${items[at]}`, (pairs.get(`${user} ${items[at]}`) ?? 0) + 1);
      }
    }
    expect([...pairs.values()].reduce((a, b) => a + b)).toBe(count);
  }
});

test('batches are refused without an optimizer', async () => {
  await expect(run({ batchSize: 64 })).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringMatching(/batchSize.*only batches of an optimizer/),
  });
});
