import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { initLessr, lessr, lessrStates } from '#workers/models/lessr.ts';
import { checkSessionMemory, orderedSessions } from '#workers/models/orderedSessions.ts';
import { packHistories, represent } from '#workers/models/sequenceNetwork.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import { tf } from '#workers/tensor/tf.ts';
import { samplePrefixes } from '#workers/training/batches/samplePrefixes.ts';
import { datasetOf } from '../data/dataFiles.ts';
import { slowLessrStates } from './slowLessr.ts';

const SHAPE = { itemCount: 13, dimension: 6, layers: 3, maximumLength: 9 };
const OPTIONS = { dropout: 0, batchNorm: true, maximumNorm: 1 };
const SESSIONS = [[3], [1, 4, 1, 5, 9, 2, 6, 5, 3], [12, 0], [7, 8, 9, 10, 11], [2, 2, 2], [0, 5, 0, 5]];
const packed = (sessions: readonly number[][]) =>
  packHistories(
    sessions.map((items) => Uint32Array.from(items)),
    SHAPE.maximumLength,
  );

let open: OpenBackend;
beforeAll(async () => {
  open = await openBackend({ forced: 'wasm', threads: 2 });
});
afterAll(() => open.close());

const made = () => initLessr(SHAPE, { method: 'normal', deviation: 0.5 }, OPTIONS, (name) => randomGenerator(1, name));

test('batch normalisation is over the batch in training, with the gradients of differences', () => {
  const parameters = made();
  const plain = new Map([...parameters].map(([name, value]) => [name, Float64Array.from(value.dataSync())]));
  const weightOf = (at: number): number => Math.sin(at + 1);
  const slow = (values: ReadonlyMap<string, Float64Array>): number =>
    slowLessrStates(values, SESSIONS, { d: 6, layers: 3, options: OPTIONS })
      .flat()
      .reduce((sum, value, at) => sum + weightOf(at) * value, 0);
  const weights = tf.tensor2d(
    Float32Array.from({ length: 36 }, (_, at) => weightOf(at)),
    [6, 6],
  );
  const { value, grads } = tf.variableGrads(() => {
    const states = lessrStates(parameters, packed(SESSIONS), { shape: SHAPE, options: OPTIONS, draw: null });
    return tf.sum(tf.mul(states, weights)) as tf.Scalar;
  }, [...parameters.values()]);
  expect(value.dataSync()[0]).toBeCloseTo(slow(plain), 4);
  for (const [name, variable] of parameters) {
    const generator = randomGenerator(4, name);
    const direction = Float64Array.from({ length: variable.size }, () => generator.normal());
    const moved = (sign: number): number => {
      const values = plain.get(name)!.map((entry, at) => entry + sign * 1e-5 * direction[at]!);
      return slow(new Map([...plain, [name, values]]));
    };
    const expected = (moved(1) - moved(-1)) / 2e-5;
    const slope = grads[variable.name]!.dataSync<'float32'>().reduce(
      (sum, entry, at) => sum + entry * direction[at]!,
      0,
    );
    expect(Math.abs(slope - expected), name).toBeLessThan(3e-4 * (1 + Math.abs(expected)));
  }
  tf.dispose([value, grads, weights, [...parameters.values()]]);
});

test('ranking normalises by the sample, so that histories do not depend on those beside them', async () => {
  const parameters = made();
  const before = tf.memory().numTensors;
  const network = lessr(parameters, SHAPE, { options: OPTIONS, sample: [packed(SESSIONS)] });
  const histories = SESSIONS.map((items) => Uint32Array.from(items));
  const together = await represent(network, histories);
  // over the very sample it is what training would make of it
  const expected = slowLessrStates(
    new Map([...parameters].map(([name, value]) => [name, Float64Array.from(value.dataSync())])),
    SESSIONS,
    { d: 6, layers: 3, options: OPTIONS },
  );
  for (const [at, value] of expected.flat().entries()) expect(together[at]).toBeCloseTo(value, 4);
  expect(Array.from(await represent(network, histories.slice(1, 2)))).toEqual(Array.from(together.subarray(6, 12)));
  expect(tf.memory().numTensors).toBe(before);
  tf.dispose([...parameters.values()]);
});

test('sessions are graphs without pads: steps in the order of time, and what came before each item', () => {
  const { items, lastNodes, shortcuts, steps, whole } = orderedSessions(packed([[4, 7, 4, 4, 7, 9], [2]]));
  expect([...items]).toEqual([4, 7, 9, 2]);
  expect([...lastNodes]).toEqual([2, 3]);
  expect([...shortcuts.firsts]).toEqual([0, 0, 0, 3]);
  expect([...shortcuts.offsets]).toEqual([0, 2, 4, 7, 8]);
  expect([...whole.offsets]).toEqual([0, 3, 4]);
  expect([...steps!.from]).toEqual([1, 0, 0, 0, 1]);
  expect([...steps!.layout.offsets]).toEqual([0, 2, 4, 5]);
  expect([...steps!.sequenceOf]).toEqual([0, 1, 2, 3]);
  expect(orderedSessions(packed([[4], [4]])).steps).toBeNull();
});

test('the sample is spread over all prefixes, and is empty where there are none', () => {
  const dataset = datasetOf([
    [0, 1, 2, 3, 4],
    [5, 6, 7],
    [8, 9, 10, 11, 12, 0],
  ]);
  const lengths = (prefixes: number) =>
    samplePrefixes(leaveOneOut(dataset), { prefixes, atOnce: 4, maximumLength: 9 }).map(({ layout }) => layout.tokens);
  expect(lengths(100)).toEqual([1 + 2 + 1 + 2, 3]);
  expect(lengths(2)).toEqual([1 + 1]);
  const short = datasetOf([
    [0, 1, 2],
    [2, 1, 0],
  ]);
  expect(samplePrefixes(leaveOneOut(short), { prefixes: 5, atOnce: 4, maximumLength: 9 })).toEqual([]);
});

test('a batch that is too large is refused with what it needs', () => {
  const { layout, rows } = packed(SESSIONS);
  const numbers = { numbersPerNode: 10, numbersPerPair: 1 };
  expect(() => checkSessionMemory({ layout, rows }, numbers, 1000)).toThrow(
    /sessions with 24 items and 80 pairs of them needs about 0\.00000119 GiB.*smaller batchSize/,
  );
  checkSessionMemory({ layout, rows }, numbers);
});
