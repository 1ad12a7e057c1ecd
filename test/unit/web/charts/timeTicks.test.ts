import { describe, expect, test } from 'vitest';
import { marksAcross, marksUp } from '#web/charts/lines/lineScale.ts';
import { lineScale } from '#web/charts/lines/lineScale.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { clockMarks, durationMarks } from '#web/charts/timeTicks.ts';

const MINUTE = 60_000;

describe('marks of time', () => {
  test.each([
    [0.8, ['0', '0.2 s', '0.4 s', '0.6 s', '0.8 s']],
    [4, ['0', '1 s', '2 s', '3 s', '4 s']],
    [47, ['0', '10 s', '20 s', '30 s', '40 s']],
    [150, ['0', '30 s', '60 s', '90 s', '120 s', '150 s']],
    [3_000, ['0', '10 min', '20 min', '30 min', '40 min', '50 min']],
    [20_000, ['0', '1 h', '2 h', '3 h', '4 h', '5 h']],
    [400_000, ['0', '1 d', '2 d', '3 d', '4 d']],
  ])('along %d seconds are those of clocks: %j', (high, labels) => {
    expect(durationMarks({ low: 0, high }, 6).map(({ label }) => label)).toEqual(labels);
  });

  test.each([
    [20_000, '12:00:00', 5],
    [40 * MINUTE, '12:00', 5],
    [3 * 24 * 60 * MINUTE, /^\d+ \w{3,4}$/, 4],
    [3 * 365 * 24 * 60 * MINUTE, /^\w{3,4} \d{4}$/, 4],
  ])('of day, along %d milliseconds', (span, first, count) => {
    const low = new Date(2026, 4, 4, 12).getTime();
    const marks = clockMarks({ low, high: low + span }, 5);
    expect(marks.length).toBeGreaterThan(1);
    expect(marks.length).toBeLessThanOrEqual(count + 1);
    if (typeof first === 'string') expect(marks[0]!.label).toBe(first);
    else expect(marks[0]!.label).toMatch(first);
  });
});

describe('marks of a plot', () => {
  const usual = {
    ...{ logX: false, logY: false, xMin: null, xMax: null, yMin: null, yMax: null },
    ...{ ignoreOutliers: null, zoom: null, isTime: false, isDuration: false },
  };
  const scaleOf = (y: number[], options = {}) =>
    lineScale(
      [
        {
          ...{ key: 'a', id: 'a', label: 'a', style: seriesStyle(0), y },
          x: [...y.keys()],
          low: null,
          high: null,
          n: null,
        },
      ],
      { ...usual, ...options },
    );
  const words = (marks: readonly { label: string }[]) => marks.map(({ label }) => label);

  test('are as many as there is room for', () => {
    const scale = scaleOf([0.12, 2.76]);
    expect(words(marksUp(scale, 130))).toEqual(['0.5', '1.0', '1.5', '2.0', '2.5']);
    expect(words(marksUp(scale, 60))).toEqual(['1', '2']);
    const steps = scaleOf(Array.from({ length: 200 }, () => 1));
    expect(words(marksAcross(steps, 600))).toEqual(['0', '50', '100', '150']);
    expect(words(marksAcross(scaleOf(Array.from({ length: 101 }, () => 1)), 200))).toEqual(['0', '50', '100']);
  });

  test.each([
    [
      [0.2, 0.5],
      ['0.2', '0.5'],
    ],
    [
      [1.1, 1.9],
      ['1.2', '1.4', '1.6', '1.8'],
    ],
    [
      [3, 30],
      ['5', '10', '20'],
    ],
    [
      [1e-8, 1e4],
      ['1e-8', '1e-5', '0.01', '10', '10k'],
    ],
    [
      [20, 45],
      ['20', '30', '40'],
    ],
  ])('on a logarithmic axis of %j are two at least: %j', (y, labels) => {
    const found = words(marksUp(scaleOf(y, { logY: true }), 150));
    expect(found.length).toBeGreaterThanOrEqual(2);
    expect(found).toEqual(labels);
  });

  test('of times since a beginning have units, also on a logarithmic axis', () => {
    const hours = { ...usual, isDuration: true, xMax: 7200 };
    expect(words(marksAcross(scaleOf([1, 2], hours), 400))).toEqual(['0', '30 min', '60 min', '90 min', '120 min']);
    expect(words(marksAcross(scaleOf([1, 2], { ...hours, xMin: 1, logX: true }), 400)).at(-1)).toBe('1,000 s');
  });
});
