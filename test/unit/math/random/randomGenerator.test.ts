import { expect, test } from 'vitest';
import { RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';

const MASK = (1n << 32n) - 1n;
const rotate = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (32n - by))) & MASK;

/** xoshiro128**, line by line from Blackman and Vigna's C, on big integers. */
function reference(state: bigint[]): number {
  const [s0, s1, s2, s3] = state as [bigint, bigint, bigint, bigint];
  const result = (rotate((s1 * 5n) & MASK, 7n) * 9n) & MASK;
  const t = (s1 << 9n) & MASK;
  const n2 = s2 ^ s0;
  const n3 = s3 ^ s1;
  state[1] = s1 ^ n2;
  state[0] = s0 ^ n3;
  state[2] = n2 ^ t;
  state[3] = rotate(n3, 11n);
  return Number(result);
}

test('gives the numbers of the reference implementation for the state 1, 2, 3, 4', () => {
  // values printed by xoshiro128starstar.c (version 1.1), as in the tests of the Rust crate rand_xoshiro
  const generator = new RandomGenerator([1, 2, 3, 4]);
  const first = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804];
  expect(first.map(() => generator.nextUint32())).toEqual(first);
});

test('agrees with the algorithm on big integers from any seed', () => {
  for (let seed = 0; seed < 20; seed++) {
    const generator = randomGenerator(seed, 'agreement');
    const state = generator.state().map(BigInt);
    for (let i = 0; i < 200; i++) expect(generator.nextUint32()).toBe(reference(state));
  }
});

test('equal seeds and purposes give equal numbers, others others', () => {
  const first = (seed: number, purpose: string): number => randomGenerator(seed, purpose).nextUint32();
  expect(first(1, 'a')).toBe(first(1, 'a'));
  const different = [
    first(1, 'a'),
    first(2, 'a'),
    first(1, 'b'),
    first(-1, 'a'),
    first(0.5, 'a'),
    first(11, ''),
    first(1, '1'),
  ];
  expect(new Set(different).size).toBe(different.length);
});

test('goes on from a saved state that went through JSON', () => {
  const generator = randomGenerator(5, 'resume');
  for (let i = 0; i < 10; i++) generator.normal();
  const copy = new RandomGenerator(JSON.parse(JSON.stringify(generator.state())));
  for (let i = 0; i < 100; i++) expect(copy.nextFloat()).toBe(generator.nextFloat());
});

test('nextInt is uniform and stays inside', () => {
  const generator = randomGenerator(1, 'uniform');
  const counts = new Array<number>(7).fill(0);
  for (let i = 0; i < 70_000; i++) counts[generator.nextInt(7)]!++;
  const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  expect(chiSquare).toBeLessThan(22.5); // 0.1 % quantile of chi-square with 6 degrees of freedom
  expect(generator.nextInt(1)).toBe(0);
  for (let i = 0; i < 100; i++) expect(generator.nextInt(4_294_967_296)).toBeLessThan(4_294_967_296);
});

test.each([0, -1, 1.5, Number.NaN, 4_294_967_297])('nextInt refuses %d', (n) => {
  expect(() => randomGenerator(1, 'x').nextInt(n)).toThrow('internal: nextInt');
});

test('normal numbers have mean 0, variance 1 and the tails of a normal', () => {
  const generator = randomGenerator(2, 'normal');
  const values = Array.from({ length: 100_000 }, () => generator.normal());
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  expect(Math.abs(mean)).toBeLessThan(0.015);
  expect(Math.abs(variance - 1)).toBeLessThan(0.02);
  expect(values.filter((value) => Math.abs(value) > 1.959964).length / values.length).toBeCloseTo(0.05, 2);
});

test('floats are in [0, 1) with mean one half', () => {
  const generator = randomGenerator(3, 'float');
  let sum = 0;
  for (let i = 0; i < 100_000; i++) {
    const value = generator.nextFloat();
    expect(value >= 0 && value < 1).toBe(true);
    sum += value;
  }
  expect(sum / 100_000).toBeCloseTo(0.5, 2);
});

test('shuffle permutes, and every order of three comes alike often', () => {
  const generator = randomGenerator(4, 'shuffle');
  const counts = new Map<string, number>();
  for (let i = 0; i < 12_000; i++) {
    const values = Uint32Array.of(1, 2, 3);
    generator.shuffle(values);
    const order = values.join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual(['123', '132', '213', '231', '312', '321']);
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
  expect(chiSquare).toBeLessThan(20.5); // 0.1 % quantile of chi-square with 5 degrees of freedom
});

test('a state of zeros is refused, it would stay zero', () => {
  expect(() => new RandomGenerator([0, 0, 0, 0])).toThrow('all zeros');
});
