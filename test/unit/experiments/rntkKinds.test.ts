import { describe, expect, test } from 'vitest';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { noisySinusoid } from '#workers/data/generate/generateSeries.ts';
import type { LabelledSeries } from '#workers/data/read/readSeries.ts';
import type { ClassifiedSeries, PriceSeries, SeriesData } from '#workers/data/series/seriesData.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { drawSegments } from '#workers/experiments/series/seriesSegments.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { recordingContext } from './recordingContext.ts';

/** Sinusoids of one and of two periods, in noise. */
function waves(count: number, seed: number): LabelledSeries {
  const generator = randomGenerator(seed, 'waves');
  const length = 24;
  const labels = Uint32Array.from({ length: count }, (_, i) => i % 2);
  const values = Float64Array.from(labels).map(() => 0);
  const series = Array.from(values, (_, i) =>
    noisySinusoid(
      { length, period: labels[i] === 0 ? 24 : 12, noise: 0.3, phase: generator.nextFloat() * 0.2 },
      generator,
    ),
  );
  return {
    values: Float64Array.from(series.flatMap((one) => [...one])),
    offsets: Uint32Array.from({ length: count + 1 }, (_, i) => i * length),
    labels,
    classes: ['one', 'two'],
    missing: 0,
  };
}

function waveData(name: string): ClassifiedSeries {
  const [train, test] = [waves(24, 1), waves(40, 2)];
  return { holds: 'series', name, fingerprint: 'waves', classes: train.classes, train, test };
}

async function runKind(
  kind: string,
  given: {
    parameters: Record<string, unknown>;
    datasetName: string | null;
    data?: SeriesData;
    checkpoint?: Uint8Array;
  },
) {
  const loaded: string[] = [];
  const { recorded, context } = recordingContext<unknown>(datasetOf([[0]], 1), given.parameters, {
    datasetName: given.datasetName,
    series: (name) => {
      loaded.push(name);
      return Promise.resolve(given.data ?? waveData(name));
    },
    checkpoint: given.checkpoint === undefined ? null : { step: 1, bytes: given.checkpoint },
  });
  await experimentOf(kind)(context);
  const metric = (name: string): number =>
    recorded.metrics.findLast((point) => point.name === name)?.value ?? Number.NaN;
  return { recorded, metric, loaded };
}

describe('rntk-classification', () => {
  test.each([
    ['rntk', { sigmaW: [1.4], sigmaB: [0, 0.1], sigmaH: [0.1] }],
    ['ntk', { layers: [1, 2], sigmaW: [1.4], sigmaB: [0.1] }],
    ['rbf', {}],
    ['polynomial', { degree: [1, 2] }],
  ])('%s tells waves apart and leaves its grid, choice and figure', async (kernel, grid) => {
    const { recorded, metric } = await runKind('rntk-classification', {
      parameters: { kernel, ...grid, folds: 4, foldSeeds: 2 },
      datasetName: 'ucr/Waves',
    });
    expect(metric('test/accuracy')).toBeGreaterThan(0.9);
    expect(metric('valid/accuracy')).toBeGreaterThan(0.9);
    expect(recorded.notes.get('selected')).toHaveLength(2);
    expect([...recorded.artifacts.keys()].sort()).toEqual(
      ['grid.csv', 'selected.json', 'selection.csv', 'selection.json', 'selection.png', 'selection.svg'].sort(),
    );
    expect(recorded.progress.at(-1)).toBe(1);
  });

  test('several samples a step are tried beside one, also where they do not divide a length', async () => {
    const { recorded, metric } = await runKind('rntk-classification', {
      parameters: {
        samplesPerStep: [1, 5],
        sigmaW: [1.4],
        sigmaB: [0.1],
        sigmaH: [0],
        costs: [1],
        folds: 4,
        foldSeeds: 1,
      },
      datasetName: 'ucr/Waves',
    });
    const [header, ...rows] = Buffer.from(recorded.artifacts.get('grid.csv')!).toString().trim().split(/\r?\n/);
    expect(header!.split(',')[0]).toBe('samplesPerStep');
    expect(rows.map((row) => row.split(',')[0])).toEqual(['1', '5']);
    expect(metric('test/accuracy')).toBeGreaterThan(0.9);
  });

  test('refuses prices', async () => {
    const data = { holds: 'prices', name: 'share', fingerprint: '', prices: {} } as unknown as PriceSeries;
    await expect(runKind('rntk-classification', { parameters: {}, datasetName: 'share', data })).rejects.toMatchObject({
      code: 'DATA_ERROR',
    });
  });
});

test('a grid goes on from a checkpoint: what it holds is not computed anew', async () => {
  const given = { kernel: 'rbf', alpha: [0.1, 1], costs: [1, 10], folds: 4, foldSeeds: 2 };
  const whole = await runKind('rntk-classification', { parameters: given, datasetName: 'ucr/Waves' });
  // the first point's counts as no data give them: they show in the grid, the second's are computed
  const progress = {
    points: 1,
    correct: [
      [24, 0],
      [0, 24],
    ],
    givenUp: 0,
    seconds: { gram: 100, select: 10 },
  };
  const rest = await runKind('rntk-classification', {
    parameters: given,
    datasetName: 'ucr/Waves',
    checkpoint: Buffer.from(JSON.stringify(progress)),
  });
  const rows = ({ recorded }: typeof whole) =>
    Buffer.from(recorded.artifacts.get('grid.csv')!).toString().split(/\r?\n/);
  expect(rows(rest).slice(1, 3)).toEqual(['0.1,1,1,0', '0.1,10,0,1']);
  expect(rows(rest).slice(3)).toEqual(rows(whole).slice(3));
  expect(rest.recorded.timings.get('gram')).toBeGreaterThan(100);
  const unfit = Buffer.from(JSON.stringify({ ...progress, correct: [[24, 0]] }));
  const anew = await runKind('rntk-classification', { parameters: given, datasetName: 'ucr/Waves', checkpoint: unfit });
  expect(rows(anew)).toEqual(rows(whole));
});

describe('rntk-regression', () => {
  const small = {
    kernels: ['rntk', 'polynomial'],
    sigmaW: [1.4],
    sigmaB: [0, 0.1],
    sigmaH: [0],
    repetitions: 2,
    testSegments: 200,
  };

  test('predicts a sinusoid, and draws SNR along the axis', async () => {
    const { recorded, metric } = await runKind('rntk-regression', {
      parameters: { ...small, vary: 'noise', values: [0.01, 0.5] },
      datasetName: null,
    });
    const of = (name: string) => recorded.metrics.filter((point) => point.name === name).map(({ value }) => value);
    for (const method of ['rntk', 'polynomial', 'previous-time-step']) {
      const [clean, noisy] = of(`${method}/snr`);
      expect(clean).toBeGreaterThan(15);
      expect(clean).toBeGreaterThan(noisy! + 10);
    }
    expect(metric('rntk/deviation')).toBeGreaterThan(0);
    expect([...recorded.artifacts.keys()]).toEqual(['snr.svg', 'snr.png', 'snr.json', 'snr.csv']);
  });

  test('tests prices on the days after those that train', async () => {
    const close = Float64Array.from({ length: 120 }, (_, day) => 500 + day);
    const data = { holds: 'prices', name: 'share', fingerprint: '', prices: { close } } as unknown as PriceSeries;
    const parameters = { ...small, trainingDays: 80 };
    const { metric } = await runKind('rntk-regression', { parameters, datasetName: 'share', data });
    expect(metric('previous-time-step/snr')).toBeCloseTo(20 * Math.log10(600), 0);
    const late = { parameters: { ...small, trainingDays: 120 }, datasetName: 'share', data };
    await expect(runKind('rntk-regression', late)).rejects.toThrow(/has 120 days/);
  });
});

test('segments lie in their range, padded in front or behind, with the value after them', () => {
  const series = Float64Array.from({ length: 100 }, (_, t) => t);
  const draw = { count: 300, fixed: 3, variable: 4, range: { from: 20, to: 40 } };
  for (const padding of ['front', 'back'] as const) {
    const { sequences, inputs, targets, previous } = drawSegments(
      series,
      { ...draw, padding },
      randomGenerator(1, 'draw'),
    );
    const lengths = new Set<number>();
    for (let i = 0; i < 300; i++) {
      const piece = sequences.values.slice(sequences.offsets[i]!, sequences.offsets[i + 1]!);
      lengths.add(piece.length);
      expect(piece[0]).toBeGreaterThanOrEqual(20);
      expect(targets[i]).toBe(piece.at(-1)! + 1);
      expect(targets[i]).toBeLessThan(40);
      expect(previous[i]).toBe(piece.at(-1));
      const zeros = new Array<number>(7 - piece.length).fill(0);
      const padded = [...inputs!.values.slice(i * 7, (i + 1) * 7)];
      expect(padded).toEqual(padding === 'front' ? [...zeros, ...piece] : [...piece, ...zeros]);
    }
    expect([...lengths].sort()).toEqual([3, 4, 5, 6, 7]);
  }
  expect(() => drawSegments(series, { ...draw, fixed: 20, padding: 'front' }, randomGenerator(1, 'draw'))).toThrow(
    /do not fit/,
  );
});

test('kinds of series take series as they are, and say what else is wrong', () => {
  const wrong =
    (dataset: unknown, kind = 'rntk-classification') =>
    () =>
      resolveConfiguration({ kind, dataset });
  expect(resolveConfiguration({ kind: 'rntk-classification', dataset: 'ucr/gunpoint' }).dataset?.name).toBe(
    'ucr/GunPoint',
  );
  expect(wrong(null)).toThrow(/such as ucr\/GunPoint/);
  expect(wrong('ml-1m')).toThrow(/holds sequences/);
  expect(wrong({ name: 'ucr/Beef', core: 5 })).toThrow(/takes its series as they are/);
  expect(resolveConfiguration({ kind: 'rntk-regression' }).dataset).toBeNull();
  expect(() => resolveConfiguration({ kind: 'rntk-regression', parameters: { vary: 'noise' } })).toThrow(
    /the values of noise/,
  );
});
