import { describe, expect, test } from 'vitest';
import { type ChartScale, type Curve, drawable } from '#web/charts/curve.ts';
import { describeCurves } from '#web/charts/describeCurves.ts';
import { formatTick, shortLabels } from '#web/charts/formatTick.ts';
import { labelsAcross } from '#web/charts/lineChartOption.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { tooltipHtml } from '#web/charts/tooltipHtml.ts';
import { countValues, whyNothing } from '#web/charts/undrawable.ts';

const linear: ChartScale = { logarithmic: false, x: 'step' };
const logarithmic: ChartScale = { logarithmic: true, x: 'step' };
const curve = (y: number[], label = 'one'): Curve => ({
  id: label,
  label,
  style: seriesStyle(0),
  x: y.map((_, i) => i + 1),
  y,
  low: null,
  high: null,
});

describe('curves', () => {
  test('values without a place leave a gap', () => {
    expect(drawable(Number.NaN, linear)).toBeNull();
    expect(drawable(Number.POSITIVE_INFINITY, linear)).toBeNull();
    expect(drawable(-1, linear)).toBe(-1);
    expect(drawable(-1, logarithmic)).toBeNull();
    expect(drawable(0, logarithmic)).toBeNull();
  });

  test.each([
    [[1, Number.NaN], false, null],
    [[], false, null],
    [[Number.NaN, Number.NaN], false, 'No value is finite: 2 NaN.'],
    [[Infinity, -Infinity, Number.NaN], true, 'No value is finite: 1 NaN, 1 ∞, 1 −∞.'],
    [[0, -1], false, null],
    [[0, 1], true, null],
    [[0, -1], true, 'No value is above zero, and the axis is logarithmic: 2 of 0 or less.'],
    [[0, Number.NaN], true, 'No value is above zero, and the axis is logarithmic: 1 of 0 or less, 1 NaN.'],
  ])('values %j, logarithmic %j: %j', (values, isLogarithmic, why) => {
    expect(whyNothing(countValues([values]), isLogarithmic)).toBe(why);
  });

  test('thirty-five curves look different', () => {
    const looks = Array.from({ length: 35 }, (_, i) => JSON.stringify(seriesStyle(i)));
    expect(new Set(looks).size).toBe(35);
  });

  test.each([
    [[5, 10, 15], 290, ['5', '10', '15']],
    [[1, 8, 15], 290, ['5', '10', '15']],
    [[0, 15], 160, ['0', '5', '10', '15']],
    [[0, 1], 400, ['0', '1']],
    [[0, 19_999], 400, ['0', '5k', '10k', '15k']],
    [[7], 400, ['7']],
  ])('steps %j in %i pixels are marked %j: round, even and whole', (x, width, labels) => {
    const drawn = { ...curve(x), x };
    const { customValues = [], formatter } = labelsAcross([drawn], linear, { width, shown: null });
    expect(customValues.map((value) => formatter?.(value))).toEqual(labels);
  });

  test('what is looked at closely has marks of its own, and no curve has none', () => {
    const drawn = { ...curve([0, 1]), x: [0, 10_000] };
    const zoomed = labelsAcross([drawn], linear, { width: 400, shown: [120, 160] });
    expect(zoomed.customValues).toEqual([120, 130, 140, 150, 160]);
    expect(labelsAcross([drawn], { ...linear, x: 'seconds' }, { width: 300, shown: null }).customValues).toHaveLength(
      3,
    );
    const share = { ...drawn, x: [0.3, 0.5, 1.4] };
    expect(labelsAcross([share], { ...linear, xTitle: 'σ' }, { width: 300, shown: null }).customValues).toEqual([
      ...[0.5, 1],
    ]);
    expect(labelsAcross([], linear, { width: 300, shown: null })).toEqual({});
  });

  test('the labels of an axis have the same decimals', () => {
    expect([0, 0.1, 0.15, 0.2].map((value) => formatTick(value, 0.05))).toEqual(['0.00', '0.10', '0.15', '0.20']);
    expect([-0.5, 0, 1].map((value) => formatTick(value, 0.5))).toEqual(['−0.5', '0.0', '1.0']);
    expect([8, 10, 12].map((value) => formatTick(value, 2))).toEqual(['8', '10', '12']);
    expect([0, 2e-5, 4e-5].map((value) => formatTick(value, 2e-5))).toEqual(['0', '2e-5', '4e-5']);
    expect(shortLabels(['10,000', '10,500', '11,000'])).toEqual(['10.0k', '10.5k', '11.0k']);
    expect(shortLabels(['0.219', '0.220'])).toEqual(['0.219', '0.220']);
    expect(shortLabels(['0', '5,000', '10,000'])).toEqual(['0', '5k', '10k']);
    expect(shortLabels(['10,000', '20,000'])).toEqual(['10k', '20k']);
  });

  test('names of runs are escaped in the tooltip', () => {
    const evil = curve([1], '<img src=x onerror="alert(1)">');
    const html = tooltipHtml([{ seriesId: evil.id, dataIndex: 0 }], [evil], linear);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
  });

  test('a chart is told in words', () => {
    expect(describeCurves('train/loss', [curve([3, 2])])).toBe('Line chart of train/loss. 2 points, last 2');
    expect(describeCurves('train/loss', [])).toBe('train/loss: no points');
  });
});
