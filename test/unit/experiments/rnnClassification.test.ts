import { describe, expect, test } from 'vitest';
import type { LabelledSeries } from '#workers/data/read/readSeries.ts';
import type { ClassifiedSeries, PriceSeries, SeriesData } from '#workers/data/series/seriesData.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '#workers/tensor/tf.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { type GivenContext, type Recorded, recordingContext } from './recordingContext.ts';

/** Series in noise that rise, or fall, of 6 to 10 values. */
function slopes(count: number, seed: number): LabelledSeries {
  const generator = randomGenerator(seed, 'slopes');
  const labels = Uint32Array.from({ length: count }, (_, i) => i % 2);
  const rows = Array.from(labels, (label, i) =>
    Array.from({ length: 6 + (i % 5) }, (_, t) => (label === 0 ? 1 : -1) * (t - 4) * 0.4 + 0.2 * generator.normal()),
  );
  const offsets = new Uint32Array(count + 1);
  for (const [i, row] of rows.entries()) offsets[i + 1] = offsets[i]! + row.length;
  return { values: Float64Array.from(rows.flat()), offsets, labels, classes: ['up', 'down'], missing: 0 };
}

const [TRAIN, TEST] = [slopes(24, 1), slopes(30, 2)];
const DATA: ClassifiedSeries = {
  ...{ holds: 'series', name: 'ucr/Coffee', fingerprint: 'slopes', classes: TRAIN.classes },
  ...{ train: TRAIN, test: TEST },
};
const SMALL = {
  layers: [1],
  widths: [4, 8],
  learningRates: [0.02, 0.00001],
  epochs: 30,
  folds: 3,
  batchSize: 8,
  patience: 5,
};

const opened = lastBackend(1);

async function run(
  parameters: Record<string, unknown>,
  over: GivenContext = {},
  data: SeriesData = DATA,
): Promise<Recorded> {
  const { recorded, context } = recordingContext<unknown>(datasetOf([[0]], 1), parameters, {
    datasetName: data.name,
    series: () => Promise.resolve(data),
    openTensorBackend: opened,
    ...over,
  });
  await experimentOf('rnn-classification')(context);
  return recorded;
}

const last = (recorded: Recorded, name: string): number =>
  recorded.metrics.findLast((point) => point.name === name)?.value ?? Number.NaN;

describe('rnn-classification', () => {
  test.each(['rnn-gaussian', 'rnn-identity', 'gru'])(
    '%s tells rising from falling series of any length',
    async (network) => {
      await opened();
      const before = tf.memory().numTensors;
      const recorded = await run({ ...SMALL, network, patience: 12 });
      expect(tf.memory().numTensors).toBe(before);
      expect(last(recorded, 'test/accuracy')).toBeGreaterThan(0.9);
      expect(last(recorded, 'valid/accuracy')).toBeGreaterThan(0.9);
      expect(recorded.notes.get('selected')).toMatchObject({ layers: 1, learningRate: 0.02 });
      expect(recorded.notes.get('published')).toBe({ 'rnn-gaussian': 100, 'rnn-identity': 42.85, gru: 57.14 }[network]);
      expect([...recorded.artifacts.keys()].sort()).toEqual(
        ['grid.csv', 'selected.json', 'selection.csv', 'selection.json', 'selection.png', 'selection.svg'].sort(),
      );
      expect(Buffer.from(recorded.artifacts.get('grid.csv')!).toString('utf8').trim().split('\n')).toHaveLength(13);
      expect(recorded.progress.at(-1)).toBe(1);
      expect(recorded.progress).toEqual([...recorded.progress].sort((a, b) => a - b));
    },
  );

  test.each(['folds', 'retrained', 'all-epochs'])('goes on from the middle of the grid, %s', async (tested) => {
    const parameters = { ...SMALL, network: 'rnn-gaussian', learningRates: [0.02], epochs: 4, tested };
    const whole = await run(parameters);
    expect(whole.checkpoints).toHaveLength(6);
    const losses = whole.metrics.filter(({ name }) => name.endsWith('train/loss')).map(({ name }) => name);
    expect(new Set(losses).size).toBe(tested === 'folds' ? 3 : 1);
    if (tested === 'all-epochs') expect(losses).toHaveLength(4);
    const resumed = await run(parameters, { checkpoint: whole.checkpoints[3]! });
    expect(resumed.checkpoints).toHaveLength(2);
    expect(resumed.metrics).toEqual(whole.metrics);
    for (const name of ['grid.csv', 'selected.json', 'selection.csv']) {
      expect(resumed.artifacts.get(name)).toEqual(whole.artifacts.get(name));
    }
    const damaged = await run(parameters, { checkpoint: { step: 0, bytes: Buffer.from('[{}]') } });
    expect(damaged.logs[0]).toMatch(/cannot be used: the grid starts anew/);
    expect(damaged.metrics).toEqual(whole.metrics);
  });

  test('a network that stands still stops after its patience; one that diverges counts as it stands', async () => {
    const slow = await run({ ...SMALL, learningRates: [1e-9], widths: [4], network: 'gru' });
    const rows = Buffer.from(slow.artifacts.get('grid.csv')!).toString('utf8').trim().split('\n').slice(1);
    expect(rows.map((row) => row.split(',').slice(5, 7).join(' '))).toEqual(['1 6', '1 6', '1 6']);
    const huge = (part: LabelledSeries) => ({ ...part, values: part.values.map((value) => 1e38 * value) });
    const data = { ...DATA, train: huge(TRAIN), test: huge(TEST) };
    const wild = await run({ ...SMALL, learningRates: [0.02], widths: [4], network: 'rnn-gaussian' }, {}, data);
    expect(wild.notes.get('diverged')).toBe(3);
    expect(wild.logs.at(-1)).toMatch(/a tested network diverged; it is tested as it was after epoch 0/);
    // three networks on thirty series
    const right = 90 * last(wild, 'test/accuracy');
    expect(right).toBeCloseTo(Math.round(right), 9);
    expect(right).toBeGreaterThan(0);
  });

  test('refuses prices, missing values and grids without values', async () => {
    const prices = { holds: 'prices', name: 'share', fingerprint: '', prices: {} } as unknown as PriceSeries;
    await expect(run(SMALL, {}, prices)).rejects.toMatchObject({ code: 'DATA_ERROR' });
    const values = TRAIN.values.slice();
    values[8] = Number.NaN;
    const holed = { ...DATA, train: { ...TRAIN, values } };
    await expect(run(SMALL, {}, holed)).rejects.toThrow(/series 2 has no value in place 3/);
    for (const [parameters, message] of [
      [{ widths: [] }, /widths/],
      [{ widths: [8, 8] }, /widths.*each value once/],
      [{ learningRates: [0] }, /learningRates/],
      [{ network: 'lstm' }, /network.*gru/],
    ] as const) {
      await expect(run({ ...SMALL, ...parameters })).rejects.toMatchObject({
        code: 'BAD_INPUT',
        message: expect.stringMatching(message),
      });
    }
  });
});
