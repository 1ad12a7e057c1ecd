import { describe, expect, test } from 'vitest';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { tf } from '#workers/tensor/tf.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { type GivenContext, type Recorded, recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-60x40'), { folders: [], cacheFolder: null });
const COMMON = { dimension: 6, epochs: 4, batchSize: 32, evaluateEvery: 2, checkpointEvery: 2, maximumLength: 10 };
const LEPORID = { method: 'leporid', neighbours: 10 };

const openTensorBackend = lastBackend(1);

async function run(kind: string, parameters: Record<string, unknown>, over: GivenContext = {}): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, {
    openTensorBackend,
    ...over,
  });
  await experimentOf(kind)(context);
  return recorded;
}

const items = (recorded: Recorded) => recorded.artifacts.get('item-embeddings.npy');

describe.runIf(kernelsAreBuilt()).each(['sasrec', 'gru4rec'])('%s initialised by leporid', (kind) => {
  test('keeps frozen embeddings as they are and trains the rest', async () => {
    const { neighbours, method } = LEPORID;
    const embedded = await run('embedding', { method, neighbours, dimension: 6, pictureNodes: 0 });
    await run(kind, { ...COMMON, epochs: 1, evaluateEvery: 1 });
    const before = tf.memory().numTensors;
    const frozen = await run(kind, { ...COMMON, init: { ...LEPORID, frozen: true } });
    expect(items(frozen)).toEqual(items(embedded));
    const losses = frozen.metrics.filter(({ name }) => name === 'train/loss').map(({ value }) => value);
    expect(losses[3]).toBeLessThan(losses[0]!);
    expect(tf.memory().numTensors).toBe(before);
    const inputs = new Map([['item-embeddings', items(embedded)!]]);
    const given = await run(kind, { ...COMMON, init: { method: 'input', frozen: true } }, { inputs });
    expect(given.metrics.filter(({ name }) => name === 'train/loss').map(({ value }) => value)).toEqual(losses);
  });

  test.each([true, false])('goes on from a checkpoint to the same numbers, frozen %s', async (frozen) => {
    const parameters = { ...COMMON, init: { ...LEPORID, frozen } };
    const whole = await run(kind, parameters);
    const resumed = await run(kind, parameters, { checkpoint: whole.checkpoints[0]! });
    expect(resumed.artifacts).toEqual(whole.artifacts);
    if (!frozen)
      expect(items(whole)).not.toEqual(items(await run(kind, { ...parameters, epochs: 1, evaluateEvery: 1 })));
  });
});

test('mf-bpr starts from the embeddings of another run', async () => {
  const table = (rows: number) => Float32Array.from({ length: rows * 4 }, (_, at) => Math.cos(at) / 10);
  const inputs = new Map([
    ['user-embeddings', encodeNpy(table(60), [60, 4])],
    ['item-embeddings', encodeNpy(table(40), [40, 4])],
  ]);
  const parameters = { dimension: 4, epochs: 1, evaluateEvery: 0, init: { method: 'input' } };
  const slow = await run('mf-bpr', { ...parameters, learningRate: 1e-12, regularization: 0 }, { inputs });
  expect(items(slow)).toEqual(inputs.get('item-embeddings'));
  expect(items(await run('mf-bpr', parameters, { inputs }))).not.toEqual(items(slow));
  await expect(run('mf-bpr', { ...parameters, init: { frozen: true } })).rejects.toThrow(/frozen/);
});
