import { describe, expect, test } from 'vitest';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import type { LabelledSeries } from '#workers/data/read/readSeries.ts';
import type { ClassifiedSeries, PriceSeries, SeriesData } from '#workers/data/series/seriesData.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { innerProducts } from '#workers/kernels/recurrent/inputGram.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { recordingContext } from './recordingContext.ts';

/** Rising and falling ramps in noise, of these lengths. */
function ramps(lengths: readonly number[]): LabelledSeries {
  const generator = randomGenerator(3, 'ramps');
  const offsets = new Uint32Array(lengths.length + 1);
  for (const [i, length] of lengths.entries()) offsets[i + 1] = offsets[i]! + length;
  const series = lengths.map((length, i) =>
    Array.from({ length }, (_, t) => (i % 2 === 0 ? t : length - t) / length + 0.05 * generator.normal()),
  );
  const labels = Uint32Array.from(lengths, (_, i) => i % 2);
  return { values: Float64Array.from(series.flat()), offsets, labels, classes: ['up', 'down'], missing: 0 };
}

function dataOf(train: LabelledSeries, test = train): ClassifiedSeries {
  return { holds: 'series', name: 'ucr/Ramps', fingerprint: 'ramps', classes: train.classes, train, test };
}

function run(kind: string, parameters: Record<string, unknown>, data: SeriesData) {
  const { recorded, context } = recordingContext<unknown>(datasetOf([[0]], 1), parameters, {
    datasetName: data.name,
    series: () => Promise.resolve(data),
  });
  return Promise.resolve(experimentOf(kind)(context)).then(() => recorded);
}

const SMALL = { sigmaW: [1.4], sigmaB: [0.1], sigmaH: [0], layers: [1], alpha: [1], degree: [1], offset: [0] };
const equal = new Array<number>(12).fill(10);
const ragged = Array.from({ length: 12 }, (_, i) => 8 + (i % 5));

describe('series', () => {
  test('of different lengths go to the recurrent kernel as they are', async () => {
    const parameters = { ...SMALL, kernel: 'rntk', folds: 3, foldSeeds: 1 };
    const { metrics } = await run('rntk-classification', parameters, dataOf(ramps(ragged)));
    expect(metrics.find(({ name }) => name === 'test/accuracy')!.value).toBeGreaterThan(0.9);
  });

  test.each(['ntk', 'rbf', 'polynomial'])(
    'of different lengths are refused by %s, with which and what would do',
    async (kernel) => {
      const running = run('rntk-classification', { ...SMALL, kernel, folds: 3 }, dataOf(ramps(ragged)));
      await expect(running).rejects.toMatchObject({
        code: 'DATA_ERROR',
        message: expect.stringMatching(/series 2 has 9 values, 8 are expected.*the kernel rntk takes different ones/),
      });
    },
  );

  test.each(['rntk', 'rbf'])(
    'with gaps or values that are not finite are refused by %s, with the place',
    async (kernel) => {
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
        const held = ramps(equal);
        held.values[23] = bad;
        const running = run('rntk-classification', { ...SMALL, kernel, folds: 3 }, dataOf(ramps(equal), held));
        await expect(running).rejects.toMatchObject({
          code: 'DATA_ERROR',
          message: expect.stringMatching(/series 3 has no finite value in place 4/),
        });
      }
    },
  );

  test('of zeros stay as they are: their kernel values are finite', async () => {
    const train = ramps(equal);
    train.values.fill(0, 0, 10);
    const parameters = { ...SMALL, sigmaB: [0], kernel: 'rntk', folds: 3, foldSeeds: 1 };
    const { metrics } = await run('rntk-classification', parameters, dataOf(train));
    expect(metrics.every(({ value }) => Number.isFinite(value))).toBe(true);
  });

  test('so long that the kernel overflows end the run with what to change', async () => {
    const running = run(
      'rntk-classification',
      { ...SMALL, sigmaW: [10], kernel: 'rntk', folds: 2, foldSeeds: 1 },
      dataOf(ramps(new Array<number>(4).fill(400))),
    );
    await expect(running).rejects.toThrow(/smaller sigma/);
  });
});

test('prices that are too few for a segment and its target are refused with what to change', async () => {
  const close = Float64Array.from({ length: 30 }, (_, day) => 100 + day);
  const data = { holds: 'prices', name: 'share', fingerprint: '', prices: { close } } as unknown as PriceSeries;
  const running = run('rntk-regression', { ...SMALL, trainingDays: 15, repetitions: 1 }, data);
  await expect(running).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringMatching(/segments of up to 20 values .* choose a smaller fixedLength or variableLength/),
  });
});

test.each([
  ['rntk-classification', { sigmaW: [1.4, -0.1] }, 'sigmaW'],
  ['rntk-classification', { sigmaH: [Number.NaN] }, 'sigmaH'],
  ['rntk-classification', { costs: [10, 1] }, 'costs'],
  ['rntk-classification', { costs: [0] }, 'costs'],
  ['rntk-regression', { ridges: [-1] }, 'ridges'],
  ['rntk-regression', { noise: -0.1 }, 'noise'],
  ['rntk-sensitivity', { sigmaB: -1 }, 'sigmaB'],
  ['rntk-convergence', { sigmaW: Number.POSITIVE_INFINITY }, 'sigmaW'],
])('%s refuses %o', (kind, parameters, path) => {
  const dataset = kind === 'rntk-classification' ? 'ucr/GunPoint' : null;
  expect(() => resolveConfiguration({ kind, dataset, parameters })).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', path: expect.stringContaining(path) }),
  );
});

test('inputs whose kernel matrix does not fit are refused with how much it takes and how many would fit', () => {
  const inputs = { values: new Float64Array(100), dimension: 1 };
  expect(() => innerProducts(inputs, null, 20_000)).toThrow(
    expect.objectContaining({
      code: 'OUT_OF_MEMORY',
      message: expect.stringMatching(/100 x 100 .* at most 50 series/),
    }),
  );
});
