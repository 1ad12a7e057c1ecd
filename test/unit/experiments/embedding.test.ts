import { describe, expect, test } from 'vitest';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { decodeNpyTable } from '#src/base/contracts/npyTable.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { ratioByTime } from '#workers/data/split/orderedSplit.ts';
import { initialEmbeddings } from '#workers/training/start/initialEmbeddings.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { interactionMatrix } from '#workers/graphs/featureSets.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { datasetOf, selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import {
  type GivenContext,
  cancellationWhen,
  lastValues,
  type Recorded,
  recordingContext,
} from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/blocks-150x70'), { folders: [], cacheFolder: null });
const opened = lastBackend(1);
const SMALL = {
  neighbours: 12,
  dimension: 6,
  bpr: { epochs: 3 },
  netmf: { rank: 30 },
  node2vec: { walkLength: 10, walks: 2 },
  graphBert: { epochs: 3 },
  pictureNodes: 0,
};

async function run(parameters: Record<string, unknown>, over: GivenContext = {}) {
  const { recorded, context } = recordingContext<unknown>(
    DATASET,
    { ...SMALL, ...parameters },
    { openTensorBackend: () => opened('wasm'), ...over },
  );
  const failure: unknown = await experimentOf('embedding')(context).then(
    () => null,
    (error: unknown) => error,
  );
  return { recorded, failure };
}

function table(recorded: Recorded, name: string) {
  return decodeNpyTable(recorded.artifacts.get(name)!, name);
}

function series(recorded: Recorded, name: string): number[] {
  return recorded.metrics.filter((metric) => metric.name === name).map(({ value }) => value);
}

describe.runIf(kernelsAreBuilt())('embeddings', () => {
  test.each(['random', 'svd', 'le', 'leporid', 'bpr', 'netmf', 'node2vec', 'graph-bert'])(
    '%s leave users and items, the same every time',
    async (method) => {
      const { recorded, failure } = await run({ method });
      expect(failure).toBeNull();
      for (const [name, rows] of [
        ['user-embeddings.npy', DATASET.userCount],
        ['item-embeddings.npy', DATASET.itemCount],
      ] as const) {
        const found = table(recorded, name);
        expect([found.rows, found.columns]).toEqual([rows, 6]);
        expect(found.values.every(Number.isFinite)).toBe(true);
        expect(found.values.some((value) => value !== 0)).toBe(true);
      }
      const again = await run({ method });
      for (const name of ['user-embeddings.npy', 'item-embeddings.npy']) {
        expect(again.recorded.artifacts.get(name)).toEqual(recorded.artifacts.get(name));
      }
    },
  );

  test.each([
    ['svd', {}],
    ['le', {}],
    ['leporid', { alpha: 0.2 }],
    ['netmf', {}],
    ['node2vec', { node2vec: { walkLength: 20, walks: 20, window: 4, epochs: 3 } }],
    ['bpr', { bpr: { epochs: 60, regularization: 0.01 } }],
    ['graph-bert', { graphBert: { intimates: 30, epochs: 60, learningRate: 0.02, weightDecay: 0 } }],
  ])('%s bring users of one block together', async (method, parameters) => {
    const { recorded } = await run({ method, ...parameters });
    const { values, rows } = table(recorded, 'user-embeddings.npy');
    const user = (u: number) => Array.from(values.subarray(6 * u, 6 * (u + 1)));
    const product = (a: number[], b: number[]) => a.reduce((sum, value, d) => sum + value * b[d]!, 0);
    const lengths = Array.from({ length: rows }, (_, u) => Math.hypot(...user(u)));
    let inside = 0;
    for (let u = 0; u < rows; u++) {
      const near = Array.from({ length: rows }, (_, v) =>
        v === u ? -2 : product(user(u), user(v)) / (lengths[u]! * lengths[v]!),
      );
      // users are dealt out to four blocks in turn
      inside += near.indexOf(Math.max(...near)) % 4 === u % 4 ? 1 : 0;
    }
    // Graph-Bert begins with attributes that are drawn, and drops half of what it sees
    expect(inside / rows).toBeGreaterThan(method === 'graph-bert' ? 0.6 : 0.8);
  });

  test('of graphs say who has nothing in common with anybody, and refuse a graph without edges', async () => {
    const some = datasetOf([
      [0, 1, 2, 7, 8],
      [0, 1, 2, 7, 8],
      [1, 2, 3, 7, 8],
      [4, 4, 4, 7, 8],
    ]);
    const parameters = { ...SMALL, method: 'le', neighbours: 1, dimension: 2 };
    const { recorded, context } = recordingContext<unknown>(some, parameters);
    await experimentOf('embedding')(context);
    expect(recorded.logs.join()).toMatch(/1 of 4 users have nothing in common with others/);
    expect(lastValues(recorded)).toMatchObject({ 'users/isolated': 1, 'users/components': 2 });
    const none = datasetOf([
      [0, 5, 6],
      [1, 5, 6],
      [2, 5, 6],
    ]);
    await expect(experimentOf('embedding')(recordingContext<unknown>(none, parameters).context)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: 'users: none of the 3 users has anything in common with another',
    });
  });

  test('of graphs come with their sizes, eigenvalues and residuals', async () => {
    const { recorded } = await run({ method: 'leporid' });
    for (const side of ['users', 'items']) {
      const eigenvalues = series(recorded, `${side}/eigenvalue`);
      expect(eigenvalues).toHaveLength(6);
      expect(eigenvalues).toEqual(eigenvalues.toSorted((a, b) => a - b));
      expect(Math.max(...series(recorded, `${side}/residual`))).toBeLessThan(1e-6);
      expect(lastValues(recorded)).toMatchObject({ [`${side}/isolated`]: 0 });
    }
  });

  test('svd has the products of the best approximation of its rank: exact at full rank', async () => {
    const dimension = DATASET.itemCount;
    const { recorded, failure } = await run(
      { method: 'svd', dimension },
      {
        split: { name: 'ratio-by-time', shares: { train: 0.7, validation: 0.1, test: 0.2 } },
      },
    );
    expect(failure).toBeNull();
    const [users, items] = [table(recorded, 'user-embeddings.npy'), table(recorded, 'item-embeddings.npy')];
    const { trainEnd: ends } = ratioByTime(DATASET, { train: 0.7, validation: 0.1, test: 0.2 });
    const met = interactionMatrix({ dataset: DATASET, ends });
    for (let user = 0; user < DATASET.userCount; user++) {
      const own = new Set(met.columns.subarray(met.offsets[user]!, met.offsets[user + 1]!));
      for (let item = 0; item < DATASET.itemCount; item++) {
        let product = 0;
        for (let d = 0; d < dimension; d++)
          product += users.values[user * dimension + d]! * items.values[item * dimension + d]!;
        expect(Math.abs(product - (own.has(item) ? 1 : 0))).toBeLessThan(1e-4);
      }
    }
  });

  test('draw the first dimensions on the graph', async () => {
    const { recorded } = await run({ method: 'le', pictureNodes: 100 });
    const picture = Buffer.from(recorded.artifacts.get('first-dimensions-items.svg')!).toString();
    expect(picture).toContain('le of items: first 4 dimensions');
    expect(picture.match(/stroke="#c0392b"/g)).toHaveLength(4);
    const lines = Buffer.from(recorded.artifacts.get('first-dimensions-users.csv')!).toString().trim().split('\n');
    expect(lines).toHaveLength(101);
  });

  test('z-scored columns have mean 0 and deviation 1', async () => {
    const { recorded } = await run({ method: 'leporid', columns: 'z-score' });
    const { values, rows } = table(recorded, 'user-embeddings.npy');
    for (let d = 0; d < 6; d++) {
      const column = Array.from(values).filter((_, at) => at % 6 === d);
      expect(column.reduce((sum, value) => sum + value, 0) / rows).toBeCloseTo(0, 5);
      expect(column.reduce((sum, value) => sum + value * value, 0) / rows).toBeCloseTo(1, 4);
    }
  });

  test.each([
    [
      { method: 'leporid', neighbours: 150 },
      /users: 150 neighbours of 150 nodes; expected a whole number from 1 to 149/,
    ],
    [{ method: 'leporid', neighbours: 70 }, /items: 70 neighbours of 70 nodes; expected a whole number from 1 to 69/],
    [{ method: 'le', dimension: 71 }, /items: 71 dimensions for a graph of 70 nodes/],
    [{ method: 'netmf', dimension: 71 }, /items: 71 dimensions for a graph of 70 nodes/],
    [{ method: 'svd', dimension: 71 }, /expected a whole number from 1 to 70/],
    [{ alpha: 1.5 }, /alpha/],
  ])('%j is refused', async (parameters, message) => {
    const { failure } = await run(parameters);
    expect(failure).toMatchObject({ code: 'BAD_INPUT', message: expect.stringMatching(message) });
  });

  test('an eigensolver that gives up fails the run, and leaves what converged', async () => {
    const large = await loadSequenceDataset(selectionOf('generated/markov-2000x400'), {
      folders: [],
      cacheFolder: null,
    });
    const parameters = { ...SMALL, method: 'leporid', dimension: 40, tolerance: 1e-14, maximumProducts: 400 };
    const { recorded, context } = recordingContext<unknown>(large, parameters);
    await expect(experimentOf('embedding')(context)).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringMatching(/^users: .*of 40/),
    });
    const found = table(recorded, 'user-embeddings-partial.npy');
    expect(found.rows).toBe(2000);
    expect(found.columns).toBeGreaterThan(0);
    expect(series(recorded, 'users/eigenvalue')).toHaveLength(found.columns);
  });

  test('stop when the run is cancelled', async () => {
    const { failure } = await run({ method: 'leporid' }, { cancellation: cancellationWhen(() => true) });
    expect(failure).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('initial embeddings', () => {
  const start = (init: Record<string, unknown>, over: GivenContext = {}) => {
    const { parameters } = resolveConfiguration({ kind: 'gru4rec', dataset: 'ml-1m', parameters: { init } });
    const given = parameters.init as Parameters<typeof initialEmbeddings>[1];
    const { context } = recordingContext<unknown>(DATASET, {}, over);
    return initialEmbeddings(context, given, { training: leaveOneOut(DATASET), dimension: 6, sides: ['items'] });
  };

  test.runIf(kernelsAreBuilt())('are what the kind embedding leaves', async () => {
    const { recorded } = await run({ method: 'leporid', alpha: 0.3 });
    const { items } = await start({ method: 'leporid', alpha: 0.3, neighbours: 12 });
    expect(items).toEqual({ method: 'given', values: table(recorded, 'item-embeddings.npy').values });
  });

  test('come from the artifact of another run', async () => {
    const values = Float32Array.from({ length: 70 * 6 }, (_, at) => Math.sin(at));
    const inputs = new Map([['item-embeddings', encodeNpy(values, [70, 6])]]);
    expect((await start({ method: 'input' }, { inputs })).items).toEqual({ method: 'given', values });
    const doubles = new Map([['item-embeddings', encodeNpy(Float64Array.from(values), [70, 6])]]);
    expect((await start({ method: 'input' }, { inputs: doubles })).items).toEqual({ method: 'given', values });
  });

  test.each([
    [new Map(), /the run's inputs are: none. Give it as item-embeddings=RUN:item-embeddings.npy/],
    [new Map([['item-embeddings', encodeNpy(new Float32Array(71 * 6), [71, 6])]]), /\(71, 6\); expected \(70, 6\)/],
    [new Map([['item-embeddings', encodeNpy(new Float32Array(70 * 8), [70, 8])]]), /\(70, 8\); expected \(70, 6\)/],
    [new Map([['item-embeddings', encodeNpy(new Float32Array(6), [6])]]), /its shape is \(6,\)/],
    [new Map([['item-embeddings', encodeNpy(new Int32Array(6), [1, 6])]]), /its numbers are <i4/],
    [new Map([['item-embeddings', Buffer.from('hello')]]), /it does not begin as one/],
    [
      new Map([['item-embeddings', encodeNpy(new Float32Array(70 * 6).fill(Number.NaN), [70, 6])]]),
      /numbers that are not finite/,
    ],
  ])('of inputs that do not fit are refused: %#', async (inputs, message) => {
    await expect(start({ method: 'input' }, { inputs })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringMatching(message),
    });
  });

  test.each([
    [{ method: 'svd', alpha: 0.5 }, /init\.alpha.*svd has none: it is for leporid/],
    [{ method: 'normal', neighbours: 5 }, /init\.neighbours.*normal has none/],
    [{ method: 'leporid', alpha: 2 }, /init\.alpha/],
  ])('%j is refused by the catalogue', (init, message) => {
    expect(() => resolveConfiguration({ kind: 'sasrec', dataset: 'ml-1m', parameters: { init } })).toThrow(message);
  });
});
