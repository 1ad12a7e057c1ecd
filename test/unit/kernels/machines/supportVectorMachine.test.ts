import { describe, expect, test } from 'vitest';
import { solveBinary } from '#workers/kernels/machines/binarySupportVectors.ts';
import { crossValidateMachines } from '#workers/kernels/machines/crossValidateMachines.ts';
import type { KernelMatrix } from '#workers/kernels/recurrent/kernelMatrix.ts';
import { predictClasses, trainSupportVectorMachine } from '#workers/kernels/machines/supportVectorMachine.ts';
import { stratifiedFolds } from '#workers/data/split/stratifiedFolds.ts';
import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';

/** An RBF Gram matrix of random points in the plane, and the points. */
function randomGram(size: number, generator: RandomGenerator): KernelMatrix {
  const points = Array.from({ length: size }, () => [generator.normal(), generator.normal()] as const);
  const values = new Float64Array(size * size);
  for (const [i, x] of points.entries())
    for (const [j, y] of points.entries())
      values[i * size + j] = Math.exp(-0.7 * ((x[0] - y[0]) ** 2 + (x[1] - y[1]) ** 2));
  return { rows: size, columns: size, values };
}

/**
 * The dual's optimum by projected gradient with accelerated steps: onto the box and the plane sum beta = 0, by bisection.
 * Slow, and shares nothing with the solver.
 */
function slowDual(gram: Float64Array, signs: Int8Array, cost: number): number {
  const size = signs.length;
  const project = (point: Float64Array): Float64Array => {
    const at = (shift: number) =>
      point.map((value, i) => Math.min(Math.max(value - shift, signs[i]! > 0 ? 0 : -cost), signs[i]! > 0 ? cost : 0));
    let [low, high] = [-1e3, 1e3];
    for (let round = 0; round < 60; round++) {
      const middle = (low + high) / 2;
      if (at(middle).reduce((sum, value) => sum + value, 0) > 0) low = middle;
      else high = middle;
    }
    return at((low + high) / 2);
  };
  const gradient = (beta: Float64Array) =>
    beta.map((_, i) => beta.reduce((sum, value, j) => sum + value * gram[i * size + j]!, -signs[i]!));
  const largest = Math.max(
    ...Array.from({ length: size }, (_, i) => gram.subarray(i * size, (i + 1) * size).reduce((a, b) => a + b, 0)),
  );
  let beta: Float64Array = new Float64Array(size);
  let ahead = beta;
  for (let round = 1; round < 1500; round++) {
    const slope = gradient(ahead);
    const next = project(ahead.map((value, i) => value - slope[i]! / largest));
    ahead = next.map((value, i) => value + ((round - 1) / (round + 2)) * (value - beta[i]!));
    beta = next;
  }
  const slope = gradient(beta);
  return beta.reduce((sum, value, i) => sum + (value * (signs[i]! - slope[i]!)) / 2, 0);
}

describe('two classes', () => {
  test('reach the optimum of a slow solver, inside the bounds and at them', () => {
    for (let round = 0; round < 3; round++) {
      const generator = randomGenerator(round, 'svm test');
      const { values } = randomGram(16, generator);
      const signs = Int8Array.from({ length: 16 }, (_, i) =>
        i < 2 ? [1, -1][i]! : generator.nextFloat() < 0.5 ? 1 : -1,
      );
      for (const cost of [0.05, 1, 30]) {
        const { coefficients, dualObjective, converged } = solveBinary(
          { gram: values, signs },
          { cost, tolerance: 1e-9 },
        );
        const expected = slowDual(values, signs, cost);
        expect(Math.abs(dualObjective - expected), `round ${round} C ${cost}`).toBeLessThan(1e-4 * expected);
        expect(dualObjective).toBeGreaterThanOrEqual(expected - 1e-9);
        expect(converged).toBe(true);
        expect(Math.abs(coefficients.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-9);
        expect(coefficients.every((value, i) => value * signs[i]! >= 0 && Math.abs(value) <= cost)).toBe(true);
      }
    }
  });

  test('end at the same optimum with shrinking on many examples, and from another cost', () => {
    const generator = randomGenerator(1, 'svm test');
    const size = 400;
    const { values } = randomGram(size, generator);
    const signs = Int8Array.from({ length: size }, (_, i) => (i % 2 === 0 ? 1 : -1));
    const tolerance = 1e-6;
    const problem = { gram: values, signs };
    const direct = solveBinary(problem, { cost: 10, tolerance });
    const warm = solveBinary(problem, { cost: 10, tolerance }, solveBinary(problem, { cost: 1, tolerance }));
    expect(Math.abs(warm.dualObjective / direct.dualObjective - 1)).toBeLessThan(1e-7);
    for (const { coefficients, gradient } of [direct, warm]) {
      for (let i = 0; i < size; i += 37) {
        let sum = -signs[i]!;
        for (let j = 0; j < size; j++) sum += coefficients[j]! * values[i * size + j]!;
        expect(Math.abs(gradient[i]! - sum)).toBeLessThan(1e-9);
      }
    }
  });

  test('stay as they are when C rises above every coefficient', () => {
    const generator = randomGenerator(4, 'svm test');
    const problem = {
      gram: randomGram(10, generator).values,
      signs: Int8Array.from([1, -1, 1, -1, 1, -1, 1, -1, 1, -1]),
    };
    const before = solveBinary(problem, { cost: 1e6, tolerance: 1e-6 });
    expect(solveBinary(problem, { cost: 1e7, tolerance: 1e-6 }, before)).toMatchObject({ steps: 0, cost: 1e7 });
  });
});

test('cross-validation on one Gram matrix counts what training each fold by itself counts', () => {
  const generator = randomGenerator(2, 'svm test');
  const size = 45;
  const gram = randomGram(size, generator);
  const labels = Uint32Array.from({ length: size }, (_, i) => (gram.values[i]! > 0.3 ? i % 2 : 2));
  const foldOf = stratifiedFolds(labels, 5, generator);
  const costs = [0.1, 1, 10, 100];
  const { correct } = crossValidateMachines(gram, { labels, foldOf }, { costs, tolerance: 1e-6 });
  const expected = costs.map((cost) => {
    let right = 0;
    for (let fold = 0; fold < 5; fold++) {
      const inFold = (isHeld: boolean) => [...foldOf.keys()].filter((i) => (foldOf[i] === fold) === isHeld);
      const [train, held] = [inFold(false), inFold(true)];
      const part = (rows: number[]) => ({
        rows: rows.length,
        columns: train.length,
        values: Float64Array.from(rows.flatMap((row) => train.map((column) => gram.values[row * size + column]!))),
      });
      const model = trainSupportVectorMachine(
        part(train),
        train.map((i) => labels[i]!),
        { cost, tolerance: 1e-6 },
      );
      const predicted = predictClasses(model, part(held));
      right += held.filter((row, i) => predicted[i] === labels[row]).length;
    }
    return right;
  });
  expect([...correct]).toEqual(expected);
});

test('refuses a Gram matrix that is not finite, with its place', () => {
  const gram = { rows: 2, columns: 2, values: Float64Array.from([1, 0, Number.NaN, 1]) };
  expect(() => trainSupportVectorMachine(gram, [0, 1], { cost: 1, tolerance: 1e-3 })).toThrow(/NaN in row 1, column 0/);
});
