import { expect, test } from 'vitest';
import { KINDS } from '#src/catalog/kinds.ts';
import { STUDY_OF } from '#src/catalog/presets/sevoStudies.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { tf } from '#workers/tensor/tf.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { expectRankingScores } from './rankingBounds.ts';
import { lastValues, type Recorded, recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/markov-24x30'), { folders: [], cacheFolder: null });
const COMMON = {
  dimension: 4,
  epochs: 2,
  batchSize: 8,
  evaluateEvery: 1,
  checkpointEvery: 1,
  maximumLength: 8,
  blocks: 1,
};

const openTensorBackend = lastBackend(1);

async function run(
  parameters: Record<string, unknown>,
  over: Partial<ExperimentContext<unknown>> = {},
): Promise<Recorded> {
  const loadItems = async () =>
    new Map(DATASET.itemIds.map((id, item) => [id, { title: id, genres: [`genre ${item % 3}`] }]));
  const given = { openTensorBackend, loadItems, ...over };
  const { recorded, context } = recordingContext<unknown>(DATASET, { ...COMMON, ...parameters }, given);
  await experimentOf('sevo-study')(context);
  return recorded;
}

function expectScores(values: Record<string, number>, arm: string): void {
  const [hits, gain] = [values[`${arm}/test/hr@10`], values[`${arm}/test/ndcg@10`]];
  expectRankingScores({ hits, gain, users: DATASET.userCount, cutoff: 10 }, arm);
}

const FIGURES = {
  line: ['test-ndcg', 'test-hr'],
  bars: ['test-ndcg', 'test-hr'],
  maps: ['test-ndcg', 'test-hr', 'map'],
};
const SMALL_MAP = { neighbours: 5, mapEpochs: 20, purityNeighbours: 3 };

test.each(['smoothness', 'forms', 'correction', 'prior', 'clusters'] as const)(
  '%s trains in every way and leaves its figure',
  async (study) => {
    const recorded = await run({ study, ...(study === 'clusters' && { map: SMALL_MAP }) });
    const { arms, figure } = STUDY_OF[study];
    const values = lastValues(recorded);
    for (const { name } of arms) {
      expectScores(values, name);
      expect(values[`${name}/test/hr@10`]).toBeGreaterThan(0);
    }
    const best = String(recorded.notes.get('bestArm'));
    expect(values['test/ndcg@10']).toBe(values[`${best}/test/ndcg@10`]);
    const figures =
      figure.form === 'epochs' ? figure.metrics.map((name) => name.replace('/', '-')) : FIGURES[figure.form];
    for (const name of figures) {
      const svg = Buffer.from(recorded.artifacts.get(`${name}.svg`)!).toString();
      expect(svg).toContain(STUDY_OF[study].source);
      expect(Buffer.from(recorded.artifacts.get(`${name}.csv`)!).toString()).not.toContain('NaN');
    }
  },
);

test('each way is sasrec with what the way changes', async () => {
  const values = lastValues(await run({ study: 'correction', optimizer: { smoothing: { beta: 0.9 } } }));
  const ways = {
    plain: {},
    uncorrected: { smoothing: { beta: 0.9, momentCorrection: false } },
    corrected: { smoothing: { beta: 0.9, momentCorrection: true } },
  };
  for (const [name, optimizer] of Object.entries(ways)) {
    const { recorded, context } = recordingContext<unknown>(DATASET, { ...COMMON, optimizer }, { openTensorBackend });
    await experimentOf('sasrec')(context);
    const alone = lastValues(recorded);
    for (const metric of ['train/loss', 'valid/ndcg@10', 'test/ndcg@10', 'test/hr@10']) {
      expect(values[`${name}/${metric}`], `${name}/${metric}`).toBe(alone[metric]);
      expect(alone[metric], metric).toBeGreaterThan(0);
    }
  }
  expect(new Set(Object.keys(ways).map((name) => values[`${name}/train/loss`])).size).toBe(3);
});

test('goes on from each checkpoint to the same numbers and figures', async () => {
  const whole = await run({ study: 'rescaling' });
  const later = whole.checkpoints.filter((_, place) => place % 2 === 1);
  for (const checkpoint of later) {
    const resumed = await run({ study: 'rescaling' }, { checkpoint });
    const numbers = (recorded: Recorded) =>
      Object.entries(lastValues(recorded)).filter(([name]) => !/time|system/.test(name));
    expect(numbers(resumed).sort()).toEqual(numbers(whole).sort());
    expect(resumed.artifacts.get('train-loss.json')).toEqual(whole.artifacts.get('train-loss.json'));
  }
});

test('maps are the same after an interruption, those of finished ways among them', async () => {
  const parameters = { study: 'clusters', epochs: 1, map: SMALL_MAP };
  const whole = await run(parameters);
  const resumed = await run(parameters, { checkpoint: whole.checkpoints[2]! });
  expect(resumed.artifacts.has('genres-0-5/item-embeddings.npy')).toBe(false);
  expect(resumed.artifacts.get('map.json')).toEqual(whole.artifacts.get('map.json'));
  for (const { name } of STUDY_OF.clusters.arms) {
    expect(lastValues(resumed)[`${name}/purity`]).toBe(lastValues(whole)[`${name}/purity`]);
  }
  await expect(run({ study: 'layers', map: SMALL_MAP })).rejects.toThrow(/parameters\.map.*only the study clusters/);
});

test('a way that diverges is said so and the others go on; where all do, the run fails', async () => {
  const optimizer = { learningRate: 100, weightDecay: 100 };
  await openTensorBackend();
  const before = tf.memory().numTensors;
  const recorded = await run({ study: 'optimizers', epochs: 4, optimizer });
  expect(tf.memory().numTensors).toBe(before);
  expect(recorded.logs.some((text) => /^adamw: training diverged at step/.test(text))).toBe(true);
  expectScores(lastValues(recorded), 'sgd');
  expect(lastValues(recorded)['adamw/test/ndcg@10']).toBeUndefined();
  await expect(run({ study: 'rescaling', epochs: 4, optimizer })).rejects.toMatchObject({
    code: 'RUN_FAILED',
    message: expect.stringMatching(/none of the 3 ways/),
  });
});

test('what sasrec refuses is refused with its place', async () => {
  await expect(run({ study: 'layers', heads: 3 })).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringMatching(/heads.*divisor of dimension/),
  });
});

test('each figure of Sections 5.3 to 5.6 has a preset', () => {
  const presets = KINDS.flatMap((kind) => kind.presets.map(({ name }) => name));
  for (const figure of [
    'figure-4a',
    'figure-4b',
    'figure-5a',
    'figure-5b',
    'table-4',
    'figure-6',
    'figure-7a',
    'figure-7b',
  ])
    expect(presets).toEqual(expect.arrayContaining([`sevo/${figure}-beauty`, `sevo/${figure}-ml-1m`]));
  expect(presets).toEqual(expect.arrayContaining(['sevo/table-5-ml-1m', 'sevo/figure-8-ml-1m']));
});
