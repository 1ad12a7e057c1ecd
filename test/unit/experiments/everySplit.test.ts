import { describe, expect, test } from 'vitest';
import { SPLITS, type SplitName, sharesOf } from '#src/catalog/datasetSelection.ts';
import { KINDS } from '#src/catalog/kinds.ts';
import { RANKING_METRICS } from '#src/catalog/rankingMetrics.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { tf } from '#workers/tensor/tf.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { cancellationWhen, lastValues, recordingContext } from './recordingContext.ts';

const GENERATED = await loadSequenceDataset(selectionOf('generated/drift-60x30'), { folders: [], cacheFolder: null });
/** With parts for the split that is given: of each user every fifth interaction tests, and the one before it validates. */
const DATASET = { ...GENERATED, parts: Uint8Array.from(GENERATED.items, (_, at) => Math.max(0, (at % 5) - 2)) };
const RECOMMENDERS = KINDS.filter(({ splits = [] }) => SPLITS.every((split) => splits.includes(split)));
const TRAINED = { epochs: 2, evaluateEvery: 1, dimension: 4 };
const SMALL: Readonly<Record<string, Record<string, unknown>>> = {
  'mf-bpr': TRAINED,
  lightgcn: TRAINED,
  ngcf: { ...TRAINED, layers: [4] },
  simgcl: TRAINED,
  dgcf: { ...TRAINED, factors: 2 },
  ials: TRAINED,
  sasrec: { ...TRAINED, heads: 2 },
  gru4rec: { ...TRAINED, hiddenSize: 4 },
  'sr-gnn': TRAINED,
  lessr: { ...TRAINED, layers: 2 },
  'finite-rnn': TRAINED,
  bsarec: TRAINED,
  cl4srec: TRAINED,
  maerec: { ...TRAINED, heads: 2, anchors: 3, maskDepth: 1, reconstructionEdges: 8, reconstructionNegatives: 4 },
  bert4rec: { ...TRAINED, heads: 2 },
  stosa: { ...TRAINED, heads: 2 },
  dlr2: { ...TRAINED, channels: 4, tower: [4] },
  ncf: { ...TRAINED, layers: [4] },
  hgn: TRAINED,
};

const opened = lastBackend(1);

const splitOf = (name: SplitName) => {
  const shares = name === 'leave-one-out' ? [null, null] : [0.6, 0.2];
  return {
    name,
    shares: sharesOf({ split: name, trainShare: shares[0] ?? null, validationShare: shares[1] ?? null }),
    seed: 1,
  };
};

async function run(kind: string, name: SplitName, over: Parameters<typeof recordingContext>[2] = {}) {
  const { recorded, context } = recordingContext<unknown>(DATASET, SMALL[kind] ?? {}, {
    split: splitOf(name),
    openTensorBackend: () => opened('wasm'),
    ...over,
  });
  const ended = experimentOf(kind)(context).then(
    () => null,
    (error: unknown) => error,
  );
  return { recorded, failure: await ended };
}

test('recommenders are more than a dozen', () => {
  expect(RECOMMENDERS.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['sknn', 'sasrec', 'mf-bpr', 'dlr2']));
  expect(RECOMMENDERS.length).toBeGreaterThan(12);
});

describe.each(SPLITS)('under %s', (name) => {
  const names = new Map<string, string[]>();

  test.each(RECOMMENDERS.map(({ kind }) => kind))('%s trains, validates and is tested', async (kind) => {
    const { recorded, failure } = await run(kind, name);
    expect(failure).toBeNull();
    const values = lastValues(recorded);
    const tested = Object.keys(values).filter((metric) => metric.startsWith('test/'));
    for (const metric of Object.keys(RANKING_METRICS)) {
      for (const cutoff of [5, 10]) {
        expect(values[`test/${metric}@${cutoff}`]).toBeGreaterThanOrEqual(0);
        expect(values[`test/${metric}@${cutoff}`]).toBeLessThanOrEqual(1);
      }
    }
    // overrec ranks for one part alone, which its parameter names
    if (kind !== 'overrec') expect(values).toHaveProperty(['valid/ndcg@10']);
    names.set(kind, tested.sort());
  });

  test('all report the same metrics', () => {
    for (const [kind, tested] of names) expect(tested, kind).toEqual(names.get('popularity'));
  });
});

test.each(['sasrec', 'dlr2', 'lightgcn'])('%s lets go of all that it holds when it is cancelled', async (kind) => {
  const backend = await opened('wasm');
  const before = tf.memory().numTensors;
  let asked = 0;
  const { failure } = await run(kind, 'leave-one-out', {
    openTensorBackend: async () => backend,
    cancellation: cancellationWhen(() => ++asked > 2),
  });
  expect(failure).toMatchObject({ code: 'CANCELLED' });
  expect(tf.memory().numTensors).toBe(before);
});

test('a split without a validation part trains all epochs and tests the last', async () => {
  const split = { name: 'random-by-item', shares: { train: 0.8, validation: 0, test: 0.2 }, seed: 1 } as const;
  const { recorded, failure } = await run('sasrec', 'random-by-item', { split });
  expect(failure).toBeNull();
  expect(recorded.notes.get('testedEpoch')).toBe(2);
  expect(recorded.metrics.some(({ name }) => name.startsWith('valid/'))).toBe(false);
  expect(recorded.logs.join('\n')).toMatch(/nobody to validate on/);
});
