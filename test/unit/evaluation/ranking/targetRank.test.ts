import { expect, test } from 'vitest';
import { sparseTargetRank } from '#workers/evaluation/ranking/sparseTargetRank.ts';
import { targetRank } from './targetRank.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const scores = Float64Array.of(0.5, 2, 0.5, 0, 2);

test('greater scores stand ahead, equal ones by the lowest item number', () => {
  expect(Array.from(scores, (_, item) => targetRank(scores, item))).toEqual([3, 1, 4, 5, 2]);
});

test('excluded items are left out, and never the target', () => {
  expect(targetRank(scores, 2, [0, 1, 2])).toBe(2);
  expect(targetRank(scores, 3, [3])).toBe(5);
});

test('a target that has no score or is no item is refused', () => {
  expect(() => targetRank(scores, 5)).toThrow(/not one of the 5/);
  expect(() => targetRank(Float64Array.of(Number.NaN), 0)).toThrow(/not a number/);
});

test('the sparse rank is the dense rank of scores that are mostly 0', () => {
  const random = randomGenerator(7, 'scores');
  for (let round = 0; round < 500; round++) {
    const itemCount = 1 + random.nextInt(20);
    const dense = new Float64Array(itemCount);
    const items = new Set(Array.from({ length: random.nextInt(6) }, () => random.nextInt(itemCount)));
    for (const item of items) dense[item] = random.nextInt(4);
    const sparse = { items: [...items], scores: [...items].map((item) => dense[item]!), size: items.size };
    const excluded = [...new Set(Array.from({ length: random.nextInt(5) }, () => random.nextInt(itemCount)))];
    const target = random.nextInt(itemCount);
    expect(sparseTargetRank(sparse, target, excluded)).toBe(targetRank(dense, target, excluded));
  }
});
