import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import {
  hiddenOfTexts,
  initTextClassifier,
  scoresOfTexts,
  type TextClassifier,
  type TextClassifierShape,
  textLoss,
} from '#workers/models/textClassifier.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { packTexts, textBatches } from '#workers/training/batches/textBatches.ts';
import { type PlainParameters, plus, rowOf, times, type Vector } from './slowNetworks.ts';

const SHAPE: TextClassifierShape = { words: 6, dimension: 3, units: 4, denseUnits: 5, trainsWords: true };
const TEXTS = [[1, 5, 0, 2, 2], [3], [4, 1, 3]].map((words) => Uint32Array.from(words));
const LABELS = Uint8Array.of(1, 0, 1);
const ALL = { words: TEXTS, labels: LABELS };

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** The state after the last of the words, one at a time. */
function slowLstm(p: PlainParameters, words: readonly number[], direction: string): Vector {
  const { units: n, dimension: d } = SHAPE;
  let [state, cell] = [new Array<number>(n).fill(0), new Array<number>(n).fill(0)];
  for (const word of words) {
    const added = times(rowOf(p.get('words')!, word, d), p.get(`${direction}/input`)!, p.get(`${direction}/bias`)!);
    const sums = plus(added, times(state, p.get(`${direction}/hidden`)!, null));
    cell = cell.map((kept, j) => sigmoid(sums[n + j]!) * kept + sigmoid(sums[j]!) * Math.tanh(sums[2 * n + j]!));
    state = cell.map((value, j) => sigmoid(sums[3 * n + j]!) * Math.tanh(value));
  }
  return state;
}

function slowHidden(p: PlainParameters, words: readonly number[]): Vector {
  const ends = [...slowLstm(p, words, 'forward'), ...slowLstm(p, [...words].reverse(), 'backward')];
  return times(ends, p.get('dense')!, p.get('dense-bias')!).map((value) => Math.max(0, value));
}

function slowLoss(p: PlainParameters): number {
  const losses = TEXTS.map((words, i) => {
    const [score] = times(slowHidden(p, [...words]), p.get('score')!, p.get('score-bias')!);
    return -Math.log(LABELS[i] === 1 ? sigmoid(score!) : 1 - sigmoid(score!));
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

describe.each(['cpu', 'wasm'])('on %s', (name) => {
  let backend: OpenBackend;
  let classifier: TextClassifier;
  const plain = new Map<string, Float64Array>();

  beforeAll(async () => {
    backend = await openBackend({ forced: name, threads: 2 });
    const parameters = initTextClassifier(SHAPE, (parameter) => randomGenerator(3, parameter));
    classifier = { parameters, table: parameters.get('words') as tf.Variable<tf.Rank.R2> };
    for (const [parameter, values] of parameters) {
      // away from a start at which biases are alike
      const generator = randomGenerator(4, parameter);
      const moved = tf.tensor(
        values.dataSync().map((value) => value + 0.3 * generator.normal()),
        values.shape,
      );
      values.assign(moved);
      moved.dispose();
      plain.set(parameter, Float64Array.from(values.dataSync()));
    }
  });
  afterAll(async () => {
    for (const parameter of classifier.parameters.values()) parameter.dispose();
    await backend.close();
  });

  test('reads both ways: the last hidden layer is that of one word at a time', () => {
    const hidden = tf.tidy(() => hiddenOfTexts(classifier, packTexts(ALL, [0, 1, 2])).dataSync());
    const slow = TEXTS.flatMap((words) => slowHidden(plain, [...words]));
    for (const [i, value] of slow.entries()) expect(Math.abs(hidden[i]! - value)).toBeLessThan(1e-5);
    const [second] = tf.tidy(() => scoresOfTexts(classifier, packTexts(ALL, [1])).dataSync());
    expect(second).toBeCloseTo(times(slowHidden(plain, [3]), plain.get('score')!, plain.get('score-bias')!)[0]!, 5);
  });

  test('loss and gradients are those of differences', () => {
    const batch = packTexts(ALL, [0, 1, 2]);
    const { value, grads } = tf.variableGrads(() => textLoss(classifier, batch), [...classifier.parameters.values()]);
    expect(value.dataSync()[0]).toBeCloseTo(slowLoss(plain), 5);
    for (const [parameter, variable] of classifier.parameters) {
      const gradient = grads[variable.name]!.dataSync();
      const values = plain.get(parameter)!;
      const step = 1e-5;
      for (let at = 0; at < values.length; at += 7) {
        const moved = (by: number): number => {
          const other = values.slice();
          other[at]! += by;
          return slowLoss(new Map(plain).set(parameter, other));
        };
        const slope = (moved(step) - moved(-step)) / (2 * step);
        expect(Math.abs(gradient[at]! - slope), `${parameter} ${at}`).toBeLessThan(1e-4);
      }
    }
    value.dispose();
    tf.dispose(Object.values(grads));
  });
});

test('starts as Keras does: orthonormal hidden weights, forget gates open, and no table where one is given', async () => {
  const backend = await openBackend({ forced: 'cpu', threads: 1 });
  const parameters = initTextClassifier({ ...SHAPE, trainsWords: false }, (name) => randomGenerator(1, name));
  const hidden = Float64Array.from(parameters.get('backward/hidden')!.dataSync());
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j <= i; j++) {
      const [a, b] = [rowOf(hidden, i, 16), rowOf(hidden, j, 16)];
      const sum = a.reduce((total, value, k) => total + value * b[k]!, 0);
      expect(sum).toBeCloseTo(i === j ? 1 : 0, 6);
    }
  }
  expect([...parameters.get('forward/bias')!.dataSync()]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(parameters.has('words')).toBe(false);
  for (const parameter of parameters.values()) parameter.dispose();
  await backend.close();
});

test('an epoch visits each text once, with its label', () => {
  const source = textBatches(ALL, 2);
  const streams = { order: randomGenerator(1, 'order'), negatives: randomGenerator(1, 'negatives') };
  const batches = [...source.epoch(streams)];
  expect(batches.map((batch) => source.sizeOf(batch).positions)).toEqual([2, 1]);
  const seen = batches.flatMap(({ words, layout: { offsets, sequences }, labels }) =>
    Array.from({ length: sequences }, (_, s) => [labels[s], ...words.subarray(offsets[s]!, offsets[s + 1]!)]),
  );
  expect(seen.sort()).toEqual(TEXTS.map((words, i) => [LABELS[i], ...words]).sort());
});
