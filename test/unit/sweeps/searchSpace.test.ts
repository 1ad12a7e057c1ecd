import { expect, test } from 'vitest';
import { gridOf } from '#src/sweeps/search/gridSampler.ts';
import { randomPoint } from '#src/sweeps/search/randomSampler.ts';
import { nestedParameters, readSearchSpace } from '#src/sweeps/search/searchSpace.ts';
import { sobolFraction, sobolPoint } from '#src/sweeps/search/sobolSampler.ts';

const conditional = readSearchSpace({
  method: { values: ['sgd', 'adam'] },
  momentum: { values: [0, 0.9], when: { method: 'sgd' } },
  aNesterov: { values: [true, false], when: { momentum: [0.9] } },
  layers: { min: 1, max: 2 },
});

test('parameters may be nested as in W&B, or have dots in their names', () => {
  const space = readSearchSpace({
    optimizer: { parameters: { learningRate: { value: 0.1 }, inner: { parameters: { deep: { value: 1 } } } } },
    'dataset.core': { value: 5 },
  });
  expect(space.map(({ path }) => path)).toEqual(['dataset.core', 'optimizer.inner.deep', 'optimizer.learningRate']);
  expect(nestedParameters({ 'dataset.core': 5, 'optimizer.inner.deep': 1, 'optimizer.learningRate': 0.1 })).toEqual({
    dataset: { core: 5 },
    optimizer: { inner: { deep: 1 }, learningRate: 0.1 },
  });
});

test.each([
  [{}, /at least one parameter/],
  [{ a: { value: 1 }, 'a.b': { value: 2 } }, /a and a.b cannot both be set/],
  [{ '__proto__x.constructor': { value: 1 } }, /is not a path/],
  [{ a: { values: [1, 2], when: { b: 1 } } }, /a.when: there is no parameter "b"/],
  [{ a: { values: [1], when: { b: 3 } }, b: { values: [1, 2] } }, /3 is not a value of b/],
  [{ a: { values: [1], when: { b: 3 } }, b: { min: 1, max: 5 } }, /conditions need a parameter with values/],
  [{ a: { values: [1], when: { b: 1 } }, b: { values: [1], when: { a: 1 } } }, /a, b wait for one another/],
  [[], /expected an object/],
])('%j is refused in words', (given, message) => {
  expect(() => readSearchSpace(given)).toThrow(message);
});

test('a grid has every point once, those under conditions where these hold', () => {
  const grid = gridOf(conditional);
  const points = Array.from({ length: grid.size }, (_, index) => grid.at(index));
  // adam; sgd without momentum; sgd with momentum, with and without Nesterov's: each with one and two layers
  expect(grid.size).toBe(8);
  expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(8);
  expect(points.filter((point) => point?.method === 'adam')).toEqual([
    { layers: 1, method: 'adam' },
    { layers: 2, method: 'adam' },
  ]);
  expect(points.filter((point) => point !== null && 'aNesterov' in point)).toHaveLength(4);
  expect(grid.at(8)).toBeNull();
});

test('the last parameter of a grid by name changes fastest', () => {
  const grid = gridOf(readSearchSpace({ b: { values: ['x', 'y'] }, a: { min: 1, max: 2 } }));
  expect([0, 1, 2, 3].map((index) => grid.at(index))).toEqual([
    { a: 1, b: 'x' },
    { a: 1, b: 'y' },
    { a: 2, b: 'x' },
    { a: 2, b: 'y' },
  ]);
});

test('a grid of 10¹² points is numbered without being written out', () => {
  const axis = { min: 0, max: 999 };
  const grid = gridOf(readSearchSpace({ a: axis, b: axis, c: axis, d: axis }));
  expect(grid.size).toBe(1e12);
  expect(grid.at(123_456_789_012)).toEqual({ a: 123, b: 456, c: 789, d: 12 });
});

test('a grid needs finitely many values', () => {
  expect(() => gridOf(readSearchSpace({ rate: { min: 0.1, max: 0.5 } }))).toThrow(/parameters.rate: a grid needs/);
  expect(() => gridOf(readSearchSpace({ rate: { distribution: 'q_normal' } }))).toThrow(/finitely many/);
});

test('a random trial is a function of seed and number, and other parameters do not change its values', () => {
  const space = readSearchSpace({ a: { min: 0.5, max: 1.5 }, b: { values: [1, 2, 3] } });
  const more = readSearchSpace({ ...{ a: { min: 0.5, max: 1.5 } }, c: { min: 0.5, max: 1.5 } });
  const first = randomPoint(space, { seed: 1, number: 7 });
  expect(randomPoint(space, { seed: 1, number: 7 })).toEqual(first);
  expect(randomPoint(more, { seed: 1, number: 7 }).a).toBe(first.a);
  expect(randomPoint(space, { seed: 2, number: 7 })).not.toEqual(first);
  expect(randomPoint(space, { seed: 1, number: 8 })).not.toEqual(first);
});

test('random draws leave out what no condition switches on', () => {
  for (let number = 0; number < 50; number++) {
    const point = randomPoint(conditional, { seed: 3, number });
    expect('momentum' in point).toBe(point.method === 'sgd');
    expect('aNesterov' in point).toBe(point.momentum === 0.9);
  }
});

// scipy 1.17.1: scipy.stats.qmc.Sobol(64, scramble=False, bits=32).random_base2(10)
test.each([
  [1, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]],
  [5, [0.875, 0.875, 0.125, 0.125, 0.625, 0.625]],
  [1000, [0.2197265625, 0.0966796875, 0.5185546875, 0.0693359375, 0.1455078125, 0.4462890625]],
])('point %i of the Sobol sequence is that of scipy', (index, expected) => {
  const dimensions = [0, 1, 2, 9, 31, 63];
  expect(dimensions.map((dimension) => sobolFraction(index, dimension) / 2 ** 32)).toEqual(expected);
});

test('2ⁿ Sobol trials fill each of 2ⁿ equal parts of every parameter once, whatever the seed', () => {
  const range = { distribution: 'uniform', min: 0, max: 64 };
  const space = readSearchSpace({ a: range, b: range, c: range });
  for (const seed of [1, 2]) {
    const points = Array.from({ length: 64 }, (_, number) => sobolPoint(space, { seed, number }));
    for (const name of ['a', 'b', 'c']) {
      expect(new Set(points.map((point) => Math.floor(Number(point[name])))).size).toBe(64);
    }
  }
  expect(sobolPoint(space, { seed: 1, number: 3 })).not.toEqual(sobolPoint(space, { seed: 2, number: 3 }));
});
