import { expect, test } from 'vitest';
import { z } from 'zod';
import { fitLasso } from '#workers/features/lasso.ts';
import { fitLogistic, logisticScores, predictLogistic } from '#workers/features/logisticRegression.ts';
import linearModels from './linearModels.json';

const number = z.number();
const matrix = z.array(z.array(number));
const oracle = z
  .object({
    features: matrix,
    labels: z.array(number),
    targets: z.array(number),
    logistic: z.array(
      z.object({
        form: z.enum(['multinomial', 'one-vs-rest']),
        C: number,
        weights: matrix,
        intercepts: z.array(number),
        scores_first_5: matrix,
        predictions: z.array(number),
      }),
    ),
    lasso: z.array(
      z.object({ alpha: number, fit_intercept: z.boolean(), coefficients: z.array(number), intercept: number }),
    ),
  })
  .parse(linearModels);
const samples = { features: oracle.features.flat(), width: oracle.features[0]!.length };

function expectNear(found: ArrayLike<number>, expected: readonly number[], tolerance: number): void {
  expect(found.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(tolerance);
}

test.each(oracle.logistic)('$form logistic regression with C = $C ends at the optimum', (expected) => {
  const model = fitLogistic(samples, oracle.labels, {
    classes: 4,
    form: expected.form,
    inverseStrength: expected.C,
  });
  expectNear(model.weights, expected.weights.flat(), 1e-4);
  expectNear(model.intercepts, expected.intercepts, 1e-4);
  expectNear(logisticScores(model, samples).subarray(0, 20), expected.scores_first_5.flat(), 1e-4);
  expect([...predictLogistic(model, samples)]).toEqual(expected.predictions);
});

test.each(oracle.lasso)('lasso with α = $alpha, intercept $fit_intercept', (expected) => {
  const model = fitLasso(samples, oracle.targets, { penalty: expected.alpha, intercept: expected.fit_intercept });
  expectNear(model.coefficients, expected.coefficients, 1e-4);
  expect(model.intercept).toBeCloseTo(expected.intercept, 4);
});
