import { describe, expect, test } from 'vitest';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { presetByName } from '#src/catalog/kinds.ts';
import { featurizeSequentialKind } from '#src/catalog/kinds/featurizeSequential.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { generatedItemTable } from '#workers/data/generate/generatedItemTable.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import type { ItemInfo } from '#workers/data/read/readItemTable.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '#workers/tensor/tf.ts';
import { lastBackend } from './lastBackend.ts';
import { expectRankingScores } from './rankingBounds.ts';
import { type GivenContext, lastValues, type Recorded, recordingContext } from './recordingContext.ts';

const NAME = 'generated/clusters-150x60';
const ROWS = ['h', 'avg-h', 'phi-d', 'phi-2d'] as const;
const SMALL = {
  dimension: 8,
  pretrainings: 2,
  doc2vec: { epochs: 20 },
  towers: { epochs: 2, candidates: 20 },
};

const openTensorBackend = lastBackend(1);

async function run(kind: string, parameters: object, over: GivenContext = {}): Promise<Recorded> {
  const selection = datasetSelectionSchema.parse({ name: NAME });
  const dataset = await loadSequenceDataset(selection, { folders: [], cacheFolder: null });
  const { recorded, context } = recordingContext<unknown>(dataset, parameters, {
    items: async () => generatedItemTable(NAME)!,
    openTensorBackend: async () => openTensorBackend(),
    ...over,
  });
  await experimentOf(kind)(context);
  return recorded;
}

function sequential(parameters: object = SMALL, over: GivenContext = {}): Promise<Recorded> {
  return run('featurize-sequential', parameters, over);
}

function textOf(recorded: Recorded, artifact: string): string {
  return Buffer.from(recorded.artifacts.get(artifact)!).toString('utf8');
}

/** All metrics by name and step, in no order. */
function points(recorded: Recorded): Set<string> {
  return new Set(recorded.metrics.map(({ name, step, value }) => `${name} ${step} ${value}`));
}

test('every row is scored from every pretraining, over all items and among candidates, and no tensor is left', async () => {
  await openTensorBackend();
  const before = tf.memory().numTensors;
  const recorded = await sequential({ ...SMALL, featureError: 0.7 });
  expect(tf.memory().numTensors).toBe(before);
  for (const row of [...ROWS, 'phi-epsilon']) {
    for (const metric of ['recall@5', 'ndcg@5', 'sampled-recall@5', 'sampled-ndcg@5']) {
      const found = recorded.metrics.filter(({ name }) => name === `${row}/${metric}`);
      expect(
        found.map(({ step }) => step),
        `${row}/${metric}`,
      ).toEqual(row === 'avg-h' ? [0] : [0, 1]);
    }
    for (const prefix of ['', 'sampled-']) {
      const of = (metric: string) => recorded.metrics.filter(({ name }) => name === `${row}/${prefix}${metric}@5`);
      const gains = of('ndcg');
      for (const [at, { value: hits }] of of('recall').entries()) {
        const scores = { hits, gain: gains[at]?.value, users: 150, cutoff: 5 };
        expectRankingScores(scores, `${row}, ${prefix || 'all items, '}pretraining ${at}`);
      }
    }
    const values = lastValues(recorded);
    expect(values[`${row}/mean-sampled-recall@5`]!).toBeGreaterThanOrEqual(values[`${row}/mean-recall@5`]!);
    expect(values[`${row}/train/epochs`]).toBe(2);
  }
  expect(textOf(recorded, 'table-1.csv').split('\n').length).toBe(22);
  expect(recorded.notes.get('protocol')).toMatchObject({ users: 150, items: 60 });
  expect(recorded.logs.join('\n')).toMatch(/h has norms from .* its rows are normalised for φ, h and avg\(h\)/);
});

test('titles that tell clusters apart rank the test items above chance', async () => {
  const recorded = await sequential({
    ...SMALL,
    doc2vec: { epochs: 300 },
    towers: { epochs: 40, learningRate: 0.02, batchSize: 16, candidates: 20, patience: 0 },
  });
  // five places of 21 by chance
  for (const row of ROWS)
    expect(lastValues(recorded)[`${row}/mean-sampled-recall@5`], row).toBeGreaterThan(1.4 * (5 / 21));
});

test('training ends when the loss has stopped falling', async () => {
  const recorded = await sequential({ ...SMALL, towers: { epochs: 9, minimumImprovement: 10, patience: 2 } });
  expect(lastValues(recorded)['phi-d/train/epochs']).toBe(3);
});

test.each([
  ['featurize-sequential', SMALL],
  ['featurize-genre', { dimension: 8, epochs: 3, pretrainings: 2 }],
] as const)('%s goes on from any of its checkpoints to the same numbers', async (kind, parameters) => {
  const whole = await run(kind, parameters);
  expect(whole.checkpoints.length).toBeGreaterThan(4);
  for (const at of [1, whole.checkpoints.length - 2]) {
    const resumed = await run(kind, parameters, { checkpoint: whole.checkpoints[at]! });
    expect(points(resumed)).toEqual(points(whole));
    expect(textOf(resumed, 'table-1.csv')).toBe(textOf(whole, 'table-1.csv'));
    expect(resumed.checkpoints.length).toBe(whole.checkpoints.length - at - 1);
  }
  const other = await run(kind, parameters, { checkpoint: { step: 0, bytes: Uint8Array.of(1, 2, 3, 4, 5) } });
  expect(other.logs.join('\n')).toMatch(/checkpoint cannot be used: all is computed anew/);
  expect(points(other)).toEqual(points(whole));
});

test('embeddings given as inputs take the place of Doc2vec', async () => {
  const inputs = new Map<string, Uint8Array>();
  for (const name of ['a', 'b', 'c']) {
    const generator = randomGenerator(1, name);
    const values = Float32Array.from({ length: 60 * 8 }, () => generator.normal());
    inputs.set(name, encodeNpy(values, [60, 8]));
  }
  const items = () => Promise.reject(new Error('no titles are wanted'));
  const recorded = await sequential(SMALL, { inputs, items });
  expect(recorded.metrics.filter(({ name }) => name === 'phi-2d/recall@5').length).toBe(3);
});

describe('bad input', () => {
  const itemsWith = (change: (info: ItemInfo, item: number) => ItemInfo) => async () =>
    new Map([...generatedItemTable(NAME)!].map(([id, info], item) => [id, change(info, item)]));

  test('a vocabulary of one word', async () => {
    const items = itemsWith(() => ({ title: 'Same', genres: [] }));
    await expect(sequential(SMALL, { items })).rejects.toThrow(
      /60 texts with a vocabulary of 1 words; expected at least 2/,
    );
  });

  test('no titles at all', async () => {
    const items = itemsWith((info) => ({ ...info, title: '' }));
    await expect(sequential(SMALL, { items })).rejects.toThrow(/none of its 60 items has a title/);
    await expect(sequential(SMALL, { items: async () => new Map() })).rejects.toThrow(/none of its 60 items/);
  });

  test('items without a word and a window beyond all titles are said', async () => {
    const items = itemsWith((info, item) => (item < 2 ? { title: '', genres: [] } : info));
    const recorded = await sequential({ ...SMALL, doc2vec: { epochs: 2, window: 50 } }, { items });
    expect(recorded.logs.join('\n')).toMatch(/2 of 60 items have no word: they keep the vector they started from/);
    expect(recorded.logs.join('\n')).toMatch(/window of 50 is as long as the longest title/);
  });

  test('inputs of another size', async () => {
    const inputs = new Map(['a', 'b'].map((name) => [name, encodeNpy(new Float32Array(8 * 7), [7, 8])]));
    await expect(sequential(SMALL, { inputs })).rejects.toThrow(/input a has 7 vectors of length 8; expected 60/);
  });

  test.each([
    [{ doc2vec: { finalLearningRate: 1 } }, /at most the learningRate 0.025/],
    [{ doc2vec: { window: 0 } }, /window/],
    [{ dimension: 9 }, /an even number is expected/],
    [{ towers: { negatives: 0 } }, /negatives/],
    [{ pretrainings: 1 }, /at least 2/],
  ])('%# contradictions are refused', (parameters, message) => {
    expect(() => parseParameters(featurizeSequentialKind, parameters)).toThrow(message);
  });
});

test('the presets are there', () => {
  expect(presetByName(featurizeSequentialKind, 'demo/featurize-sequential-generated').dataset).toMatch(/^generated/);
  expect(presetByName(featurizeSequentialKind, 'featurizing/task-2').dataset).toBe('ml-1m');
});
