import { describe, expect, test } from 'vitest';
import { sharesOf } from '#src/catalog/datasetSelection.ts';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { datasetOf, selectionOf } from '../data/dataFiles.ts';
import { lastValues, recordingContext } from './recordingContext.ts';

const split = { name: 'ratio-by-time', shares: sharesOf(selectionOf('x', { split: 'ratio-by-time' })) } as const;

async function run(kind: string, dataset: ReturnType<typeof datasetOf>, parameters: Record<string, unknown>) {
  const { recorded, context } = recordingContext<unknown>(dataset, { excludeSeen: true, ...parameters }, { split });
  await experimentOf(kind)(context);
  return { recorded, metrics: lastValues(recorded) };
}

const BLOCKS = await loadSequenceDataset(selectionOf('generated/blocks-200x80'), { folders: [], cacheFolder: null });

test('popularity: every user has its own hits, precision and recall', async () => {
  // items 0 to 6 train for everybody, 7 for three users; both are tested on two items
  const both = [0, 1, 2, 3, 4, 5, 6, 10, 7, 8];
  const other = [0, 1, 2, 3, 4, 5, 7, 11, 8, 9];
  const dataset = datasetOf([both, both, other, other, other], 12);
  const { metrics, recorded } = await run('popularity', dataset, { cutoffs: [1, 2] });
  // counts: 0-5 five, 6 two, 7 three: users 0 and 1 are offered 7 and nothing else, the others 6 and nothing else
  expect(metrics['test/hr@1']).toBeCloseTo(2 / 5, 12);
  expect(metrics['test/f1@1']).toBeCloseTo(((2 / 5) * (2 * 1 * 0.5)) / 1.5, 12);
  expect(metrics['test/precision@2']).toBeCloseTo((2 / 5) * 0.5, 12);
  expect(metrics['test/recall@2']).toBeCloseTo((2 / 5) * 0.5, 12);
  expect(metrics['test/tail/hr@1']).toBe(1);
  expect(recorded.notes.get('testTargets')).toBe(10);
  expect(metrics).toHaveProperty(['valid/ndcg@2']);
  const description = JSON.parse(Buffer.from(recorded.artifacts.get('per-user-metrics.json')!).toString());
  expect(description.columns).toEqual(['hr@1', 'f1@1', 'ndcg@1', 'hr@2', 'f1@2', 'ndcg@2']);
  const rows = new Float32Array(recorded.artifacts.get('per-user-metrics.npy')!.slice(-4 * 5 * 6).buffer);
  expect([0, 1, 2, 3, 4].map((user) => rows[6 * user])).toEqual([1, 1, 0, 0, 0]);
});

describe('on data with blocks of users and items', () => {
  test.each(['item-knn', 'user-knn', 'slim', 'ease', 'mf-bpr'])('%s finds more than popularity does', async (kind) => {
    const parameters: Record<string, unknown> = kind === 'slim' ? { l1: 0.5, l2: 5 } : {};
    if (kind === 'ease') parameters.l2 = 20;
    if (kind === 'mf-bpr') Object.assign(parameters, { epochs: 30, regularization: 0.01 });
    const popularity = (await run('popularity', BLOCKS, {})).metrics['test/ndcg@10']!;
    const { metrics } = await run(kind, BLOCKS, parameters);
    expect(metrics['test/ndcg@10']).toBeGreaterThan(1.5 * popularity);
  });
});

test('presets of LEPORID name its filter and split, also where another dataset is named', () => {
  const preset = 'leporid/item-knn-ml-1m';
  const expected = { core: 20, coreRule: 'one-pass', split: 'ratio-by-time' };
  expect(resolveConfiguration({ kind: 'item-knn', preset }).dataset).toMatchObject({ name: 'ml-1m', ...expected });
  expect(resolveConfiguration({ kind: 'item-knn', preset, dataset: 'ml-100k' }).dataset).toMatchObject({
    name: 'ml-100k',
    ...expected,
  });
  expect(resolveConfiguration({ kind: 'item-knn', preset, dataset: { core: 5 } }).dataset).toMatchObject({
    name: 'ml-1m',
    core: 5,
    split: 'ratio-by-time',
  });
});

test('candidates are unseen in validation, too', async () => {
  await expect(run('popularity', BLOCKS, { seenItems: 'training' })).rejects.toMatchObject({
    code: 'BAD_INPUT',
    path: 'parameters.seenItems',
  });
});

test('another split is refused, and so are data without anything to test on', async () => {
  const dataset = { name: 'ml-1m', split: 'global-time' };
  expect(() => resolveConfiguration({ kind: 'featurize-sequential', dataset })).toThrow(
    /featurize-sequential evaluates by leave-one-out only/,
  );
  await expect(run('popularity', datasetOf([[0], [1]]), {})).rejects.toMatchObject({
    code: 'DATA_ERROR',
    message: expect.stringMatching(/none of its 2 users has an item to be tested on/),
  });
});
