import { expect, test } from 'vitest';
import { leaveOneOut } from '#workers/data/split/leaveOneOut.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { decodeBprState, encodeBprState } from '#workers/training/bprCheckpoint.ts';
import { bprData, bprEpoch, type BprState, initBpr, noteValidation } from '#workers/training/bprTraining.ts';
import { decodeCheckpoint, encodeCheckpoint } from '#workers/training/checkpointFile.ts';
import { drawNegative, negativeSampler } from '#workers/training/batches/negativeSampler.ts';
import { datasetOf } from '../data/dataFiles.ts';

const DATASET = datasetOf([
  [0, 1, 0, 2, /**/ 3, 4],
  [1, 2, 3, 4, /**/ 5, 0],
  [5, /**/ 1, 2],
  [3, 3],
]);
const SHAPE = { userCount: 4, itemCount: 6, dimension: 3 };
const STEP = { learningRate: 0.1, regularization: 0.01, pulse: () => undefined };

function start(seed = 1): { state: BprState; data: ReturnType<typeof bprData> } {
  return { state: initBpr(SHAPE, { initialDeviation: 0.3, seed }), data: bprData(leaveOneOut(DATASET)) };
}

test('trains on all but the last two interactions of each user', () => {
  const { users, items } = bprData(leaveOneOut(DATASET));
  expect(Array.from(users, (user, index) => `${user}:${items[index]}`)).toEqual([
    '0:0',
    '0:1',
    '0:0',
    '0:2',
    '1:1',
    '1:2',
    '1:3',
    '1:4',
    '2:5',
    '3:3',
    '3:3',
  ]);
});

test('negatives are uniform over the items that the user does not train on', () => {
  const sampler = negativeSampler(leaveOneOut(DATASET));
  const generator = randomGenerator(1, 'negatives');
  const counts = new Array<number>(6).fill(0);
  for (let i = 0; i < 30_000; i++) counts[drawNegative(sampler, 0, generator)]!++;
  expect(counts.slice(0, 3)).toEqual([0, 0, 0]);
  const chiSquare = counts.slice(3).reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  expect(chiSquare).toBeLessThan(13.9); // 0.1 % quantile of chi-square with 2 degrees of freedom
});

test('a user who trains on every item has no negative, and is passed over', () => {
  const split = leaveOneOut(datasetOf([[0, 1, 2, /**/ 0, 1]]));
  expect(drawNegative(negativeSampler(split), 0, randomGenerator(1, 'none'))).toBe(-1);
  const state = initBpr({ userCount: 1, itemCount: 3, dimension: 2 }, { initialDeviation: 1, seed: 1 });
  const before = state.model.users.slice();
  expect(bprEpoch(state, bprData(split), STEP)).toBeNaN();
  expect(state.model.users).toEqual(before);
});

test('the loss starts near ln 2 and falls', () => {
  const { state, data } = start();
  const losses = Array.from({ length: 200 }, () => bprEpoch(state, data, STEP));
  expect(Math.abs(losses[0]! - Math.LN2)).toBeLessThan(0.15);
  expect(losses.at(-1)!).toBeLessThan(0.3);
  expect(state.epoch).toBe(200);
});

test('the same seed gives the same embeddings to the bit, another seed others', () => {
  const run = (seed: number): Float32Array => {
    const { state, data } = start(seed);
    for (let epoch = 0; epoch < 5; epoch++) bprEpoch(state, data, STEP);
    return state.model.items;
  };
  expect(run(1)).toEqual(run(1));
  expect(run(1)).not.toEqual(run(2));
});

test('a checkpoint goes on to the same numbers to the bit', () => {
  const { state, data } = start();
  for (let epoch = 0; epoch < 3; epoch++) bprEpoch(state, data, STEP);
  noteValidation(state, 0.25, 2);
  noteValidation(state, 0.125, 2);
  const restored = decodeBprState(encodeBprState(state), SHAPE)!;
  expect(restored).toMatchObject({ epoch: 3, waited: 1, best: { epoch: 3, score: 0.25 } });
  const losses = (from: BprState): number[] => Array.from({ length: 4 }, () => bprEpoch(from, data, STEP));
  expect(losses(restored)).toEqual(losses(state));
  expect(restored.model).toEqual(state.model);
  expect(restored.best).toEqual(state.best);
});

test.each([
  ['cut off', (bytes: Uint8Array) => bytes.slice(0, -1)],
  [
    'with a bit turned',
    (bytes: Uint8Array) => bytes.map((byte, index) => (index === bytes.length - 5 ? byte ^ 4 : byte)),
  ],
  ['empty', () => new Uint8Array()],
  ['of something else', () => new TextEncoder().encode('not a checkpoint at all')],
  ['of another trainer', () => encodeCheckpoint({ values: { trainer: 'other' }, arrays: [] })],
])('a checkpoint %s is not used', (_, damage) => {
  expect(decodeBprState(damage(encodeBprState(start().state)), SHAPE)).toBeNull();
});

test.each([{ userCount: 5 }, { itemCount: 7 }, { dimension: 4 }])('nor one of another shape: %o', (over) => {
  expect(decodeBprState(encodeBprState(start().state), { ...SHAPE, ...over })).toBeNull();
});

test('a checkpoint file keeps values and arrays, from any place in a buffer', () => {
  const content = {
    values: { a: [1, null, 'x'] },
    arrays: [Float32Array.of(1.5, -0, Number.NaN), new Float32Array(0)],
  };
  const bytes = encodeCheckpoint(content);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  expect(decodeCheckpoint(shifted.subarray(3))).toEqual(content);
});

test('stops after as many validations without a better one as patience says, and keeps the best', () => {
  const { state, data } = start();
  const heard = [0.1, 0.3, 0.3, 0.2].map((score) => {
    bprEpoch(state, data, STEP);
    return noteValidation(state, score, 2);
  });
  expect(heard).toEqual([false, false, false, true]);
  expect(state.best).toMatchObject({ epoch: 2, score: 0.3 });
  expect(state.best!.model.items).not.toEqual(state.model.items);
});

test('without patience nothing is kept', () => {
  const { state } = start();
  expect(noteValidation(state, 0.5, 0)).toBe(false);
  expect(state.best).toBeNull();
});
