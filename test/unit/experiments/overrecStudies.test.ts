import { beforeAll, describe, expect, test } from 'vitest';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { randomSequences } from '#test/properties/randomSequences.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { lastValues, type Recorded, recordingContext } from './recordingContext.ts';

async function run(kind: string, dataset: SequenceDataset, parameters: Record<string, unknown>): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(dataset, parameters);
  await experimentOf(kind)(context);
  return recorded;
}

function randomDataset(): SequenceDataset {
  const { offsets, items } = randomSequences(randomGenerator(11, 'sequences'), { users: 60, items: 25, longest: 12 });
  const sequences = Array.from({ length: 60 }, (_, u) => [...items.subarray(offsets[u]!, offsets[u + 1]!)]);
  return datasetOf(sequences, 25);
}

const dataset = randomDataset();
const METRICS = ['mrr@3', 'ndcg@3', 'hr@3', 'mrr@7', 'ndcg@7', 'hr@7'];
const shared = { cutoffs: [3, 7], maximumLength: 8 };

function expectSame(found: Recorded, path: string, alone: Recorded): void {
  const [study, single] = [lastValues(found), lastValues(alone)];
  for (const metric of METRICS)
    expect(study[`test/${path}/${metric}`], `${path}/${metric}`).toBe(single[`test/${metric}`]);
}

describe('overrec-comparison', () => {
  const parameters = {
    ...shared,
    sigmaW: 1.2,
    sknnNeighbours: 15,
    stanNeighbours: 4,
    positionDecay: 2,
    excludeSeen: true,
  };
  let study: Recorded;
  beforeAll(async () => {
    study = await run('overrec-comparison', dataset, parameters);
  });

  const cases = ['rntk', 'nngp', 'stan', 'sknn'].flatMap((similarity) =>
    ['weighted-y', 'weighted-item', 'equal-item'].map((prediction) => [similarity, prediction] as const),
  );
  test.each(cases)('%s with %s is what its own kind gives', async (similarity, prediction) => {
    const own = {
      rntk: { kind: 'overrec', kernel: 'rntk', sigmaW: 1.2 },
      nngp: { kind: 'overrec', kernel: 'nngp', sigmaW: 1.2 },
      stan: { kind: 'stan', neighbours: 4, positionDecay: 2 },
      sknn: { kind: 'sknn', neighbours: 15 },
    }[similarity]!;
    const { kind, ...rest } = own;
    expectSame(
      study,
      `${similarity}/${prediction}`,
      await run(kind, dataset, { ...shared, excludeSeen: true, prediction, ...rest }),
    );
  });

  test('leaves a table of all cells and a figure for each cut-off', () => {
    expect([...study.artifacts.keys()].filter((name) => name.endsWith('.png'))).toEqual([
      'figure-5-ndcg-3.png',
      'figure-5-ndcg-7.png',
    ]);
    const [header, ...rows] = new TextDecoder().decode(study.artifacts.get('comparison.csv')).trim().split('\n');
    expect(header).toBe(`similarity,prediction,${METRICS.join(',')}`);
    expect(rows).toHaveLength(12);
    expect(rows[0]).toBe(`rntk,weighted-y,${METRICS.map((name) => lastValues(study)[`test/rntk/weighted-y/${name}`])}`);
  });
});

describe('overrec-sensitivity', () => {
  const parameters = {
    ...shared,
    sigmaB: 0.2,
    sigmaWValues: [0.5, 1.2],
    sigmaUValues: [0.3, 1],
    sigmaVValues: [],
    sigmaHValues: [0, 0.7],
    neighboursValues: [1, 20],
    layersValues: [2],
    maximumLengthValues: [3],
  };
  let study: Recorded;
  beforeAll(async () => {
    study = await run('overrec-sensitivity', dataset, parameters);
  });

  test.each([
    ['', {}],
    ['sigma-w/0.5/sigma-u/0.3', { sigmaW: 0.5, sigmaU: 0.3 }],
    ['sigma-w/1.2/sigma-u/1', { sigmaW: 1.2, sigmaU: 1 }],
    ['sigma-h/0.7', { sigmaH: 0.7 }],
    ['neighbours/20', { neighbours: 20 }],
    ['layers/2', { layers: 2 }],
    ['maximum-length/3', { maximumLength: 3 }],
  ])('the point "%s" is what overrec gives there', async (path, values) => {
    for (const kernel of ['rntk', 'nngp']) {
      const alone = await run('overrec', dataset, { ...shared, sigmaB: 0.2, kernel, ...values });
      expectSame(study, path === '' ? kernel : `${kernel}/${path}`, alone);
    }
  });

  test('points that need the same neighbours share a search', () => {
    // of each kernel: its own point with all numbers of neighbours, four pairs, two σ_h, one L, one M
    expect(study.notes.get('searches')).toBe(2 * (1 + 4 + 2 + 1 + 1));
  });

  test('leaves a map for each kernel, curves of the others, and all points as a table', () => {
    const figures = [...study.artifacts.keys()].filter((name) => name.endsWith('.json'));
    expect(figures.map((name) => name.replace(/^figure-6-|\.json$/g, ''))).toEqual([
      ...['rntk', 'nngp', 'sigma-h', 'neighbours'],
    ]);
    const map = JSON.parse(new TextDecoder().decode(study.artifacts.get('figure-6-nngp.json')));
    const metrics = lastValues(study);
    // rows are σ_U, columns σ_W
    expect(map.values[1][0]).toBe(metrics['test/nngp/sigma-w/0.5/sigma-u/1/mrr@3']);
    const table = new TextDecoder().decode(study.artifacts.get('sensitivity.csv')).trim().split('\n');
    expect(table).toHaveLength(1 + 2 * (1 + 4 + 2 + 2 + 1 + 1));
  });

  test('an interrupted study goes on after its last point and leaves the same', async () => {
    const checkpoint = study.checkpoints[7]!;
    const { recorded, context } = recordingContext<unknown>(dataset, parameters, { checkpoint });
    await experimentOf('overrec-sensitivity')(context);
    expect(recorded.metrics).toEqual(study.metrics.slice(8 * METRICS.length));
    expect(recorded.artifacts.get('sensitivity.csv')).toEqual(study.artifacts.get('sensitivity.csv'));
  });

  test("refuses what the authors' code has not", async () => {
    await expect(
      run('overrec-sensitivity', dataset, { variant: 'author', layersValues: [1, 2] }),
    ).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('layersValues'),
    });
  });
});
