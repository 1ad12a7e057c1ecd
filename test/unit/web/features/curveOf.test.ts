import { expect, test } from 'vitest';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { curveOf } from '#web/features/shared/curveOf.ts';
import { summaryOrigin, summaryValue } from '#web/lib/summaryValue.ts';

const series = (name: string, steps: number[], values: number[]) => ({
  ...{ runId: 'a', name, steps, values, times: steps.map((step) => step * 1000) },
  ...{ minimum: null, maximum: null, pointCount: steps.length, cursor: 0 },
});
const settings = { logarithmic: false, x: 'step', smoothing: 0 } as const;

test('a curve runs along the metric that its program gave as x axis, or along the steps', () => {
  const loss = series('loss', [0, 1, 2, 5], [4, 3, 2, 1]);
  const options = { label: 'loss', style: seriesStyle(0), settings };
  expect(curveOf(loss, options).x).toEqual([0, 1, 2, 5]);
  expect(curveOf(loss, { ...options, axis: series('epoch', [0, 2, 4], [0, 10, 20]) }).x).toEqual([0, 0, 10, 20]);
  expect(curveOf(loss, { ...options, settings: { ...settings, x: 'seconds' } }).x).toEqual([0, 1, 2, 5]);
});

test('a metric is summed up by the rule of its program, or by its last value', () => {
  const metric = { lastStep: 7, lastValue: 1, summary: 9, direction: 'lower' as const };
  expect(summaryValue({ ...metric, summaryRule: null })).toBe(1);
  expect(summaryValue({ ...metric, summaryRule: 'max' })).toBe(9);
  const originOf = (change: object) => summaryOrigin({ ...metric, summaryRule: null, ...change });
  expect(originOf({})).toBe('at step 7');
  expect(originOf({ summaryRule: 'mean' })).toBe('mean of all steps');
  expect(originOf({ summaryRule: 'best' }), 'the best is what the direction says').toBe('min of all steps');
  expect(originOf({ summaryRule: 'best', direction: null }), 'nobody told which is better').toBe('at step 7');
});
