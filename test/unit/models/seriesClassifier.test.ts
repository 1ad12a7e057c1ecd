import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import {
  initSeriesClassifier,
  predictSeries,
  type SeriesClassifierShape,
  type SeriesNetwork,
  seriesLoss,
} from '#workers/models/seriesClassifier.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { packSeries } from '#workers/training/batches/seriesBatches.ts';

const LENGTHS = [7, 3, 5];
const BATCH = packSeries({
  values: Float32Array.from({ length: 15 }, (_, t) => Math.sin(1.7 * t + 0.3)),
  offsets: Uint32Array.from([0, 7, 10, 15]),
  labels: Uint32Array.from([2, 0, 1]),
});
const NETWORKS: SeriesNetwork[] = ['rnn-gaussian', 'rnn-identity', 'gru'];
type Plain = ReadonlyMap<string, Float64Array>;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** (classes) Scores of one series, one number at a time. */
function slowScores(
  p: Plain,
  series: readonly number[],
  { network, width: n, layers, classes }: SeriesClassifierShape,
) {
  const isNtk = network === 'rnn-gaussian';
  const times = (x: readonly number[], name: string, scale: number): number[] => {
    const matrix = p.get(name)!;
    const columns = matrix.length / x.length;
    return Array.from({ length: columns }, (_, c) =>
      x.reduce((sum, value, row) => sum + scale * value * matrix[row * columns + c]!, 0),
    );
  };
  let rows = series.map((value) => [value]);
  for (let layer = 0; layer < layers; layer++) {
    const at = `layer${layer}`;
    let h = Array.from({ length: n }, () => 0);
    rows = rows.map((row) => {
      const i = times(row, `${at}/input`, isNtk && layer > 0 ? 1 / Math.sqrt(n) : 1);
      const s = times(h, `${at}/hidden`, isNtk ? Math.SQRT2 / Math.sqrt(n) : 1);
      if (network !== 'gru') {
        h = h.map((_, c) => Math.max(0, i[c]! + s[c]! + (p.get(`${at}/bias`)?.[c] ?? 0)));
        return h;
      }
      const [b, d] = [p.get(`${at}/input-bias`)!, p.get(`${at}/hidden-bias`)!];
      h = h.map((before, c) => {
        const gate = (k: number): number => sigmoid(i[k]! + b[k]! + s[k]! + d[k]!);
        const next = Math.tanh(i[2 * n + c]! + b[2 * n + c]! + gate(c) * (s[2 * n + c]! + d[2 * n + c]!));
        return (1 - gate(n + c)) * next + gate(n + c) * before;
      });
      return h;
    });
  }
  const [last, table] = [rows.at(-1)!, p.get('read-out')!];
  const scale = isNtk ? Math.SQRT2 / Math.sqrt(n) : 1;
  return Array.from({ length: classes }, (_, c) =>
    last.reduce((sum, value, k) => sum + scale * value * table[c * n + k]!, p.get('read-out-bias')?.[c] ?? 0),
  );
}

function slowLoss(p: Plain, shape: SeriesClassifierShape): number {
  let sum = 0;
  for (const [i, length] of LENGTHS.entries()) {
    const from = BATCH.layout.offsets[i]!;
    const scores = slowScores(p, [...BATCH.values.subarray(from, from + length)], shape);
    sum += Math.log(scores.reduce((total, score) => total + Math.exp(score), 0)) - scores[BATCH.labels[i]!]!;
  }
  return sum / LENGTHS.length;
}

function disturbed(parameters: Map<string, tf.Variable>): Map<string, tf.Variable> {
  for (const [name, variable] of parameters) {
    const generator = randomGenerator(2, name);
    const noise = Float32Array.from(variable.dataSync(), (value) => value + 0.3 * generator.normal());
    const moved = tf.tensor(noise, variable.shape);
    variable.assign(moved);
    moved.dispose();
  }
  return parameters;
}

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  let open: OpenBackend;
  beforeAll(async () => {
    open = await openBackend({ forced: backend, threads: 2 });
  });
  afterAll(() => open.close());

  test.each(NETWORKS)('%s: loss, slopes and classes are those of series one by one', async (network) => {
    const shape = { network, width: 4, layers: 2, classes: 3 };
    const parameters = disturbed(initSeriesClassifier(shape, (name) => randomGenerator(1, name)));
    const variables = [...parameters.values()];
    const { value, grads } = tf.variableGrads(() => seriesLoss(parameters, BATCH, shape), variables);
    const plain = new Map([...parameters].map(([name, one]) => [name, Float64Array.from(one.dataSync())]));
    expect(value.dataSync()[0]).toBeCloseTo(slowLoss(plain, shape), 5);
    const step = 1e-6;
    for (const [name, variable] of parameters) {
      const generator = randomGenerator(4, name);
      const direction = Float64Array.from({ length: variable.size }, () => generator.normal());
      const moved = (sign: number): number => {
        const values = plain.get(name)!.map((entry, index) => entry + sign * step * direction[index]!);
        return slowLoss(new Map([...plain, [name, values]]), shape);
      };
      const expected = (moved(1) - moved(-1)) / (2 * step);
      const slope = grads[variable.name]!.dataSync<'float32'>().reduce(
        (sum, entry, index) => sum + entry * direction[index]!,
        0,
      );
      expect(Math.abs(slope - expected), name).toBeLessThan(1e-4 * (1 + Math.abs(expected)));
    }
    const classes = LENGTHS.map((length, i) => {
      const from = BATCH.layout.offsets[i]!;
      const scores = slowScores(plain, [...BATCH.values.subarray(from, from + length)], shape);
      return scores.indexOf(Math.max(...scores));
    });
    expect([...(await predictSeries(parameters, BATCH, shape))]).toEqual(classes);
    tf.dispose([value, grads, variables]);
  });

  test('networks start as the paper says', () => {
    const started = (network: SeriesNetwork) => {
      const shape = { network, width: 100, layers: 2, classes: 3 };
      const parameters = initSeriesClassifier(shape, (name) => randomGenerator(1, name));
      const values = new Map([...parameters].map(([name, one]) => [name, one.dataSync<'float32'>().slice()]));
      tf.dispose([...parameters.values()]);
      return values;
    };
    const deviation = (values: Float32Array): number =>
      Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
    const gaussian = started('rnn-gaussian');
    expect([...gaussian.keys()].filter((name) => name.includes('bias'))).toEqual([]);
    expect(deviation(gaussian.get('layer1/hidden')!)).toBeCloseTo(1, 1);
    const identity = started('rnn-identity');
    expect([...identity.get('layer0/hidden')!.slice(0, 3), identity.get('layer1/hidden')![101]]).toEqual([1, 0, 0, 1]);
    expect(deviation(identity.get('layer1/input')!)).toBeCloseTo(0.001, 4);
    expect(deviation(identity.get('layer0/bias')!)).toBe(0);
    const gru = started('gru').get('layer0/hidden')!;
    expect(Math.max(...gru)).toBeLessThanOrEqual(0.1);
    expect(deviation(gru)).toBeCloseTo(0.1 / Math.sqrt(3), 3);
  });
});
