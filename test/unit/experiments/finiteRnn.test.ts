import { expect, test } from 'vitest';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-120x60'), { folders: [], cacheFolder: null });
const SMALL = { dimension: 16, epochs: 6, batchSize: 32, evaluateEvery: 2, maximumLength: 12 };
const opened = lastBackend(1);

/** Training loss by epoch. */
async function losses(parameters: Record<string, unknown>): Promise<number[]> {
  const given = { ...SMALL, ...parameters };
  const { recorded, context } = recordingContext<unknown>(DATASET, given, { openTensorBackend: opened });
  await experimentOf('finite-rnn')(context);
  return recorded.metrics.filter(({ name }) => name === 'train/loss').map(({ value }) => value);
}

test('the NTK parametrisation, untied and of two layers, learns too', async () => {
  const scaled = { parametrisation: 'ntk', sigmaW: 1.4, tiesEmbeddings: false, layers: 2, loss: 'bpr' };
  const found = await losses({ ...scaled, epochs: 12, optimizer: { learningRate: 0.02 } });
  expect(found.at(-1)).toBeLessThan(0.9 * found[0]!);
});

test('a rate at which it learns nothing learns once gradients are clipped', async () => {
  const optimizer = { method: 'sgd', learningRate: 100 };
  const whole = await losses({ optimizer });
  const clipped = await losses({ optimizer: { ...optimizer, maximumGradientNorm: 0.005 } });
  expect(whole.at(-1)).toBeGreaterThan(clipped[0]! - 0.1);
  expect(clipped.at(-1)).toBeLessThan(clipped[0]! - 0.1);
});
