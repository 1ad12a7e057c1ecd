import { describe, expect, test } from 'vitest';
import { edgePlaces } from '#web/charts/lines/edgeMarks.ts';
import { lineScale } from '#web/charts/lines/lineScale.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { beyondText, countBeyond, plainRange, rangeWithoutOutliers } from '#web/lib/curves/plainRange.ts';

const steps = Array.from({ length: 100 }, (_, step) => step);
/** A loss that falls from about 2.5 to 0.5. */
const falling = (scale = 1) => steps.map((step) => scale * (0.5 + 2 * Math.exp(-step / 20)));
const diverging = falling().map((value, step) => (step < 40 ? value : value * 3 ** (step - 40)));

describe('the range of an axis', () => {
  test.each([
    ['usual curves', [falling(), falling(1.2), falling(0.7)]],
    ['a loss that begins ten times as high as it ends', [steps.map((step) => 0.2 + 2 * Math.exp(-step / 5))]],
    ['runs of two scales', [falling(), falling(1000)]],
    ['runs of three scales', [falling(), falling(10), falling(100)]],
    ['constant values', [[1, 1, 1], [1, 1, 1], [2]]],
    [
      'a run that learns nothing among accurate ones',
      [
        [0.9, 0.91, 0.92],
        [0.91, 0.92, 0.92],
        [0.1, 0.1, 0.1],
      ],
    ],
    ['a curve that grows evenly through powers of ten', [steps.map((step) => 10 ** (step / 20))]],
    ['few points', [[1, 2, 1000]]],
    ['no values', [[], [Number.NaN]]],
    ['no curves', []],
  ])('takes in all values of %s', (_, curves) => {
    expect(plainRange(curves)).toBeNull();
  });

  test('leaves out one run that diverges, of two and of many', () => {
    for (const others of [1, 9]) {
      const curves = [...Array.from({ length: others }, (_, index) => falling(1 + index / 10)), diverging];
      const range = plainRange(curves)!;
      expect(range.low).toBeGreaterThan(0);
      expect(range.high).toBeLessThanOrEqual(2.5 * (1 + others / 10));
      expect(range.high).toBeGreaterThanOrEqual(2.5);
    }
  });

  test('leaves out where a run alone diverges, whenever it does', () => {
    for (const steady of [10, 40]) {
      const alone = falling().map((value, step) => (step < steady ? value : value * 3 ** (step - steady)));
      const range = plainRange([alone])!;
      expect(range.low).toBe(Math.min(...alone));
      expect(range.high).toBeGreaterThanOrEqual(2.5);
      expect(range.high).toBeLessThan(15);
    }
  });

  test('leaves out a first point far off', () => {
    const curve = [1e6, ...falling()];
    expect(plainRange([curve])).toEqual({ low: Math.min(...falling()), high: 2.5 });
    expect(plainRange([curve.slice(0, 20), falling(2)])!.high).toBeLessThanOrEqual(5);
    expect(plainRange([[-1e6, ...falling()]])!.low).toBeGreaterThan(0);
  });

  test('leaves out whole curves only where they are few', () => {
    const usual = Array.from({ length: 5 }, () => falling());
    expect(plainRange([...usual, falling(1e6)])).not.toBeNull();
    expect(plainRange([...usual, ...usual.map((_, index) => falling(1e6 + index))])).toBeNull();
  });

  test('by wish, ends at percentiles of the curves that are not far from most', () => {
    const range = rangeWithoutOutliers([falling(), falling(1.1), diverging])!;
    expect(range.high).toBeGreaterThan(2);
    expect(range.high).toBeLessThan(3);
    expect(rangeWithoutOutliers([[Number.NaN]])).toBeNull();
  });
});

test('what lies beyond is told in words', () => {
  const range = { low: 0, high: 3 };
  const columns = [[falling()], [diverging], [[10, Number.NaN, 12]], [[Number.POSITIVE_INFINITY]], [[1], [1], [9]]];
  expect(countBeyond(columns, range)).toEqual({ some: 3, wholly: 1 });
  expect(beyondText({ some: 3, wholly: 1 })).toBe('3 curves go beyond the axis, 1 of them wholly');
  expect(beyondText({ some: 1, wholly: 0 })).toBe('1 curve goes beyond the axis');
  expect(beyondText({ some: 1, wholly: 1 })).toBe('1 curve lies beyond the axis');
  expect(beyondText({ some: 2, wholly: 2 })).toBe('2 curves lie beyond the axis');
  expect(beyondText({ some: 0, wholly: 0 })).toBeNull();
});

describe('the scale of a plot', () => {
  const curve = (y: number[], id: string) => ({
    ...{ key: id, id, label: id, style: seriesStyle(0), x: steps, y, low: null, high: null, n: null },
  });
  const curves = [curve(falling(), 'a'), curve(falling(1.1), 'b'), curve(diverging, 'c')];
  const usual = {
    ...{ logX: false, logY: false, xMin: null, xMax: null, yMin: null, yMax: null },
    ...{ ignoreOutliers: null, zoom: null, isTime: false, isDuration: false },
  };

  test('leaves outliers out without a word, and says so', () => {
    const scale = lineScale(curves, usual);
    expect(scale).toMatchObject({ outliers: 'left out', beyond: { some: 1, wholly: 0 } });
    expect(scale.yRange.high).toBeLessThan(3);
    expect(lineScale(curves.slice(0, 2), usual)).toMatchObject({ outliers: 'none', beyond: { some: 0 } });
  });

  test('takes all in by wish, and offers to leave them out', () => {
    const scale = lineScale(curves, { ...usual, ignoreOutliers: false });
    expect(scale).toMatchObject({ outliers: 'shown', beyond: { some: 0 } });
    expect(scale.yRange.high).toBeGreaterThan(1e20);
  });

  test('by its logarithm, and in a range that is set, it leaves nothing out without a wish', () => {
    expect(lineScale(curves, { ...usual, logY: true })).toMatchObject({ outliers: 'none', beyond: { some: 0 } });
    const set = lineScale(curves, { ...usual, yMin: 0, yMax: 1 });
    expect(set).toMatchObject({ outliers: 'none', beyond: { some: 3 }, yRange: { low: 0, high: 1 } });
    // what is looked at more closely has no outlier
    expect(lineScale(curves, { ...usual, zoom: { low: 0, high: 30 } })).toMatchObject({ outliers: 'none' });
  });
});

test('a curve is marked where it leaves the axis', () => {
  const box = { left: 0, right: 10, top: 0, bottom: 10 };
  const pixels = { x: (value: number) => value, y: (value: number) => 10 - value };
  const places = (y: number[]) => edgePlaces({ x: [...y.keys()], y }, pixels, box);
  expect(places([5, 20, 30, 5, -3, Number.NaN])).toEqual([
    { at: 1, isAbove: true },
    { at: 4, isAbove: false },
  ]);
  expect(places([40, 40, 5])).toEqual([{ at: 0, isAbove: true }]);
  expect(places([1, 2, 10])).toEqual([]);
});
