import { describe, expect, test } from 'vitest';
import { crossedSide, crossedTest } from '#src/statistics/crossedTest.ts';
import { testedOf, verdictOf } from '#src/statistics/verdict.ts';
import { simulateVerdicts } from '#test/bench/verdictSimulation.ts';

const rows = (...values: number[][]) => crossedSide(values.map((row) => Float64Array.from(row)));

describe('seeds and users in one test', () => {
  test('finds at most 6 % of differences that are not there with three seeds, where one seed finds a fifth of them', () => {
    for (const seeds of [
      [0.2, 0.2],
      [0.2, 0],
    ] as const) {
      const scene = { name: 'small', seeds, users: 0.3, hits: 1 };
      const found = simulateVerdicts(scene, { seeds: 3, users: 60, comparisons: 1_000, effect: 0 });
      // two standard errors of 1,000 comparisons
      expect(found.crossed).toBeLessThan(0.06 + 0.015);
      expect(found.oneSeed).toBeGreaterThan(0.15);
      expect(found.usersAlone).toBeGreaterThan(0.12);
    }
  });

  test('with one row each it is the paired test of the users', () => {
    const test = crossedTest(rows([1, 2, 4, 4]), rows([0, 2, 1, 2]), 'higher')!;
    // differences 1, 0, 3, 2: mean 1.5, variance 5/3, so t = 1.5 / sqrt(5/12)
    expect(test).toMatchObject({ difference: 1.5, df: 3 });
    expect(test.t).toBeCloseTo(1.5 / Math.sqrt(5 / 12), 12);
  });

  test('says nothing where nothing varies, and refuses other users', () => {
    expect(crossedTest(rows([1, 2], [1, 2]), rows([0, 1], [0, 1]), null)).toBeNull();
    expect(() => crossedTest(rows([1, 2]), rows([1, 2, 3]), null)).toThrow(RangeError);
    expect(() => crossedTest(rows([1]), rows([1]), null)).toThrow(RangeError);
  });
});

test('fewer than three seeds of a trained method tell of these models, whatever p; methods without randomness need none', () => {
  const side = (seeds: number, deterministic = false) => ({ seeds, deterministic });
  expect(testedOf([side(3), side(5)])).toBe('methods');
  expect(testedOf([side(2), side(5)])).toBe('models');
  expect(testedOf([side(3), side(1, true)])).toBe('methods');
  expect(testedOf([side(1, true), side(1, true)])).toBe('methods');
  const tested = { difference: 1, p: 1e-9, direction: 'higher' as const };
  expect(verdictOf({ ...tested, about: 'models' })).toBe('modelsDiffer');
  expect(verdictOf({ ...tested, about: 'methods' })).toBe('better');
});
