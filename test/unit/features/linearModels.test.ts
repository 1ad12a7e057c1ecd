import { expect, test } from 'vitest';
import { fitLasso } from '#workers/features/lasso.ts';
import { fitLogistic, predictLogistic } from '#workers/features/logisticRegression.ts';
import { limitedMemoryBfgs } from '#workers/math/limitedMemoryBfgs.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

test('L-BFGS finds the minimum of the Rosenbrock function in ten dimensions', () => {
  const found = limitedMemoryBfgs(
    (x, gradient) => {
      let value = 0;
      gradient.fill(0);
      for (let i = 0; i + 1 < x.length; i++) {
        const [a, b] = [1 - x[i]!, x[i + 1]! - x[i]! ** 2];
        value += a * a + 100 * b * b;
        gradient[i]! += -2 * a - 400 * x[i]! * b;
        gradient[i + 1]! += 200 * b;
      }
      return value;
    },
    new Float64Array(10),
    { tolerance: 1e-9, maximumIterations: 1000 },
  );
  expect(found.converged).toBe(true);
  for (const entry of found.point) expect(entry).toBeCloseTo(1, 8);
});

test('classes that features tell apart are predicted; turning the features changes nothing', () => {
  const generator = randomGenerator(1, 'samples');
  const labels = Array.from({ length: 120 }, (_, i) => i % 3);
  const features = labels.flatMap((label) => [0, 1, 2].map((d) => (d === label ? 3 : 0) + generator.normal() / 4));
  const turned = labels.flatMap((_, i) => {
    const [x = 0, y = 0, z = 0] = features.slice(3 * i, 3 * i + 3);
    return [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y, z];
  });
  for (const form of ['multinomial', 'one-vs-rest'] as const) {
    const fitted = fitLogistic({ features, width: 3 }, labels, { classes: 3, form });
    expect([...predictLogistic(fitted, { features, width: 3 })]).toEqual(labels);
    const other = fitLogistic({ features: turned, width: 3 }, labels, { classes: 3, form });
    expect([...other.intercepts].map((b) => b.toFixed(4))).toEqual([...fitted.intercepts].map((b) => b.toFixed(4)));
  }
});

test('the lasso meets its conditions: no correlation with the residual is above the penalty', () => {
  const generator = randomGenerator(5, 'lasso');
  const [n, width, penalty] = [50, 80, 0.2];
  const features = Array.from({ length: n * width }, () => generator.normal());
  const targets = Array.from(
    { length: n },
    (_, i) => 2 * features[i * width]! - features[i * width + 3]! + 0.1 * generator.normal(),
  );
  const { coefficients, intercept } = fitLasso({ features, width }, targets, { penalty });
  const residual = targets.map(
    (y, i) => y - intercept - coefficients.reduce((sum, w, d) => sum + w * features[i * width + d]!, 0),
  );
  for (let d = 0; d < width; d++) {
    const correlation = residual.reduce((sum, r, i) => sum + r * features[i * width + d]!, 0) / n;
    expect(Math.abs(correlation)).toBeLessThan(penalty + 1e-4);
    if (coefficients[d] !== 0) expect(correlation * Math.sign(coefficients[d]!)).toBeCloseTo(penalty, 3);
  }
  expect(coefficients.filter((w) => w !== 0).length).toBeLessThan(10);
});

test('samples that do not fit together are refused', () => {
  const samples = { features: [1, 2, 3], width: 2 };
  expect(() => fitLogistic(samples, [0, 1], { classes: 2 })).toThrow(/3 feature values in rows of 2/);
  expect(() => fitLogistic({ features: [1, 2], width: 1 }, [0, 2], { classes: 2 })).toThrow(/label 1 is 2/);
  expect(() => fitLogistic({ features: [1, 2], width: 1 }, [0, 0], { classes: 1 })).toThrow(/1 classes/);
  expect(() => fitLasso(samples, [1], { penalty: 1 })).toThrow(/a row a target/);
});
