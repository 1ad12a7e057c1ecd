import { describe, expect, test } from 'vitest';
import { ranksOf } from '#src/statistics/ranks.ts';
import { studentBelow, studentTwoSided } from '#src/statistics/studentDistribution.ts';
import { pairedTTest, studentTTest, welchTTest } from '#src/statistics/tTests.ts';
import { wilcoxonTest } from '#src/statistics/wilcoxon.ts';

describe("Student's distribution", () => {
  test.each([0.001, 0.5, 1, 3, 40, 1e6])('with one degree of freedom it is the Cauchy distribution, t = %f', (t) => {
    // P(T <= t) = 1/2 + atan(t) / pi; the upper tail is atan(1 / t) / pi without loss of digits
    expect(studentTwoSided(t, 1)).toBeCloseTo((2 * Math.atan(1 / t)) / Math.PI, 13);
  });

  test.each([0.001, 0.5, 1, 3, 40])('with two degrees of freedom it has a closed form, t = %f', (t) => {
    expect(studentBelow(t, 2)).toBeCloseTo(0.5 + t / (2 * Math.sqrt(2 + t * t)), 13);
    expect(studentBelow(-t, 2)).toBeCloseTo(0.5 - t / (2 * Math.sqrt(2 + t * t)), 13);
  });

  test('with very many it is the normal distribution', () => {
    // P(|Z| >= 1.959963984540054) = 0.05, the tabulated 97.5 % quantile
    expect(studentTwoSided(1.959963984540054, 1e9)).toBeCloseTo(0.05, 8);
  });

  test('ends', () => {
    expect(studentTwoSided(0, 7)).toBe(1);
    expect(studentTwoSided(Number.POSITIVE_INFINITY, 7)).toBe(0);
    expect(studentTwoSided(Number.NaN, 7)).toBeNaN();
  });
});

describe('t-tests', () => {
  test('swapping the samples turns the sign', () => {
    const [a, b] = [
      [1, 2, 4, 3],
      [2, 2, 5, 7],
    ];
    for (const run of [pairedTTest, studentTTest, welchTTest]) {
      const [one, other] = [run(a!, b!), run(b!, a!)];
      expect(other.t).toBe(-one.t);
      expect(other.p).toBe(one.p);
      expect(one.pGreater + other.pGreater).toBeCloseTo(1, 12);
    }
  });

  test('samples that do not vary', () => {
    expect(pairedTTest([1, 2], [2, 3])).toMatchObject({ t: Number.NEGATIVE_INFINITY, p: 0 });
    expect(pairedTTest([1, 2], [1, 2]).p).toBeNaN();
  });

  test('too few values, and pairs that are none, are refused', () => {
    expect(() => studentTTest([1], [1, 2])).toThrow(/at least two values of a, received 1/);
    expect(() => pairedTTest([1, 2, 3], [1, 2])).toThrow(/received 3 and 2/);
  });
});

describe('ranks and Wilcoxon', () => {
  test('ranks of equal values', () => {
    expect(ranksOf([3, 1, 3, 2, 3])).toEqual([4, 1, 4, 2, 4]);
  });

  test('the exact distribution, with ties, is that of all signs', () => {
    const differences = [1, 1, -2, 3, 3, -3, 4];
    const ranks = ranksOf(differences.map(Math.abs));
    const sums = Array.from({ length: 2 ** ranks.length }, (_, signs) =>
      ranks.reduce((sum, rank, pair) => sum + (signs & (1 << pair) ? rank : 0), 0),
    );
    const { w, p, pAbove, exact } = wilcoxonTest(differences);
    expect(exact).toBe(true);
    expect(w).toBe(3 + 5);
    expect(p).toBeCloseTo((2 * sums.filter((sum) => sum <= w).length) / sums.length, 12);
    const positive = ranks.reduce((sum, rank, pair) => sum + (differences[pair]! > 0 ? rank : 0), 0);
    expect(pAbove).toBeCloseTo(sums.filter((sum) => sum >= positive).length / sums.length, 12);
    const turned = wilcoxonTest(differences.map((difference) => -difference));
    expect(turned.pAbove).toBeCloseTo(sums.filter((sum) => sum <= positive).length / sums.length, 12);
  });

  test('the normal approximation comes near the exact distribution, and takes over where that ends', () => {
    const differences = Array.from({ length: 500 }, (_, pair) => ((pair * 37) % 101) - 46);
    const [exact, normal] = [wilcoxonTest(differences), wilcoxonTest(differences, 'normal')];
    expect([exact.exact, normal.exact]).toEqual([true, false]);
    expect(Math.abs(exact.p - normal.p)).toBeLessThan(1e-4);
    const more = [...differences, ...differences];
    expect(wilcoxonTest(more).exact).toBe(false);
    expect(() => wilcoxonTest(more, 'exact')).toThrow(/up to 500 pairs that differ, received 9\d\d/);
  });

  test('pairs that do not differ are left out', () => {
    expect(wilcoxonTest([0, 1, 2])).toMatchObject({ n: 2, w: 0, p: 0.5, pAbove: 0.25 });
    expect(() => wilcoxonTest([0])).toThrow(/a pair that differs, received none/);
    expect(() => wilcoxonTest([1, Number.NaN])).toThrow(/NaN/);
  });
});
