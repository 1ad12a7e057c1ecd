import { expect, test } from 'vitest';
import { judgeLook, sequentialP } from '#src/statistics/sequential/judgeLook.ts';
import { sequentialDesign } from '#src/statistics/sequential/sequentialDesign.ts';
import { simulateDesign } from '#test/bench/sequentialSimulation.ts';

const REQUEST = { alpha: 0.05, power: 0.8, every: 1, spending: 'obrien-fleming' } as const;
const COMPARISONS = 2000;

test.each([5, 10, 20])(
  'without a difference, %i looks find one as rarely as alpha says, and its own as often as power',
  (atMost) => {
    const design = sequentialDesign({ ...REQUEST, atMost });
    const simulation = { comparisons: COMPARISONS, seed: 3 };
    // three standard errors of a simulation of this size
    const error = 3 * Math.sqrt((0.05 * 0.95) / COMPARISONS);
    const none = simulateDesign(design, { ...simulation, effect: 0, stopsFutile: false });
    expect(none.decided).toBeLessThan(0.05 + error);
    expect(none.decided).toBeGreaterThan(0.05 - error);
    const own = simulateDesign(design, { ...simulation, effect: design.effect, stopsFutile: true });
    expect(own.decided).toBeGreaterThan(0.8 - 2 * error);
    expect(own.pairs).toBeLessThan(atMost);
  },
);

test('a difference that never varies is said to be so, instead of tested', () => {
  const design = sequentialDesign({ ...REQUEST, atMost: 5 });
  expect(judgeLook(design, design.looks[1]!, [0.1, 0.1, 0.1]).verdict).toBe('unvarying');
});

test('the p of an end is at most alpha just where t reached its boundary', () => {
  const { looks } = sequentialDesign({ ...REQUEST, atMost: 10 });
  const made = looks.slice(0, 5);
  const { boundary, spent } = made[4]!;
  expect(sequentialP(made, boundary)).toBeCloseTo(spent, 6);
  expect(sequentialP(made, boundary * 1.5)).toBeLessThan(spent);
  expect(sequentialP(made, -1)).toBeGreaterThan(0.05);
});

test('looks every five pairs end at the cap', () => {
  const { looks } = sequentialDesign({ ...REQUEST, atMost: 20, every: 5 });
  expect(looks.map(({ pairs }) => pairs)).toEqual([5, 10, 15, 20]);
});
