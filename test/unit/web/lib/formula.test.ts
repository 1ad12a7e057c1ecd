import { describe, expect, test } from 'vitest';
import { formulaSeries, readFormula } from '#web/lib/curves/formula.ts';
import type { MetricSeries } from '#web/lib/metricSeries.ts';

const KNOWN = ['train/loss', 'valid/loss', 'loss', 'lr'];

function computed(text: string, values: readonly number[]): number {
  const formula = readFormula(text, KNOWN);
  if (typeof formula === 'string') throw new Error(formula);
  return formula.valueAt(values);
}

function series(name: string, points: readonly (readonly [step: number, value: number])[]): MetricSeries {
  return {
    ...{ runId: 'r', name, minimum: null, maximum: null, pointCount: points.length, cursor: 0 },
    ...{ steps: points.map(([step]) => step), values: points.map(([, value]) => value) },
    times: points.map(([step]) => 1_000 * step),
  };
}

describe('a formula over metrics', () => {
  test('is computed as arithmetic has it', () => {
    expect(computed('"train/loss" / "valid/loss" - 1', [3, 2])).toBe(0.5);
    expect(computed('-(loss + 2) * lr', [1, 4])).toBe(-12);
    expect(computed('max(loss, lr, 3) - min(loss) + pow(lr, 2)', [1, 2])).toBe(6);
    expect(computed('log10(100 * loss) + abs(-lr) + sqrt(4) + exp(0) + log2(8) + log(1)', [10, 2])).toBeCloseTo(11, 12);
  });

  test('that cannot be computed says why', () => {
    const wrong: [text: string, words: RegExp][] = [
      ['', /^Write a formula/],
      ['1 + 2', /names no metric/],
      ['train/loss', /No run .* metric train\. Put names .* in quotes: "train\/loss"/],
      ['acc', /No run of the project has a metric acc\.$/],
      ['loss ^ 2', /no \^, only \+ - \* \/ and pow/],
      ['!loss', /no sign !/],
      ['sin(loss)', /no function sin, only abs,/],
      ['constructor(loss)', /no function constructor/],
      ['pow(loss)', /pow\(\) takes 2 values, not 1/],
      ['loss.constructor', /A formula has numbers, metrics/],
      ['[loss]', /A formula has numbers, metrics/],
      ['loss, lr', /A formula has numbers, metrics/],
      ['loss +', /Expected expression after \+/],
      ['(loss', /Unclosed \(/],
      [`loss${' + loss'.repeat(100)}`, /at most 500 characters, not 704/],
    ];
    for (const [text, words] of wrong) expect(readFormula(text, KNOWN), text).toMatch(words);
  });

  test('is a curve at the steps of its first metric, the others on the line between their points', () => {
    const formula = readFormula('"train/loss" - "valid/loss"', KNOWN);
    if (typeof formula === 'string') throw new Error(formula);
    const train = series(
      'train/loss',
      [0, 1, 2, 3, 4, 5, 6].map((step) => [step, 10 - step]),
    );
    const valid = series('valid/loss', [
      [1, 4],
      [3, 8],
      [5, 2],
    ]);
    const curve = formulaSeries(formula, 'gap', [train, valid]);
    expect(curve.steps).toEqual([1, 2, 3, 4, 5]);
    expect(curve.values).toEqual([5, 2, -1, 1, 3]);
    expect(curve.times).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
    expect(formulaSeries(formula, 'gap', [train, series('valid/loss', [])]).steps).toEqual([]);
  });
});
