import { describe, expect, test } from 'vitest';
import { definiteness, indefiniteness } from '#workers/kernels/recurrent/definiteness.ts';
import type { KernelMatrix } from '#workers/kernels/recurrent/kernelMatrix.ts';
import { crossValidateRidges, kernelSpectrum, ridgeCoefficients } from '#workers/kernels/machines/kernelRidge.ts';
import { symmetricEigen } from '#workers/math/dense/symmetricEigen.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

/** F F' of random F (n, width): of rank `width` at most. */
function randomKernel(n: number, width: number, seed: number): KernelMatrix {
  const generator = randomGenerator(seed, 'ridge test');
  const features = Array.from({ length: n }, () => Array.from({ length: width }, () => generator.normal()));
  const values = Float64Array.from(
    features.flatMap((x) => features.map((y) => x.reduce((sum, value, k) => sum + value * y[k]!, 0))),
  );
  return { rows: n, columns: n, values };
}

/** Gaussian elimination with pivots: (K + ridge I) x = y. */
function eliminate({ rows: n, values }: KernelMatrix, y: readonly number[], ridge: number): number[] {
  const a = Array.from({ length: n }, (_, i) => [
    ...Array.from({ length: n }, (_, j) => values[i * n + j]! + (i === j ? ridge : 0)),
    y[i]!,
  ]);
  for (let k = 0; k < n; k++) {
    const pivot = a.slice(k).reduce((best, row, i) => (Math.abs(row[k]!) > Math.abs(a[best]![k]!) ? k + i : best), k);
    [a[k], a[pivot]] = [a[pivot]!, a[k]!];
    for (const [i, row] of a.entries()) {
      if (i === k) continue;
      const factor = row[k]! / a[k]![k]!;
      for (let j = k; j <= n; j++) row[j] = row[j]! - factor * a[k]![j]!;
    }
  }
  return a.map((row, k) => row[n]! / row[k]!);
}

test('one decomposition gives what elimination gives for each ridge', () => {
  const kernel = randomKernel(12, 30, 2);
  const targets = Array.from({ length: 12 }, (_, i) => Math.sin(i));
  const spectrum = kernelSpectrum(kernel);
  for (const ridge of [0, 0.01, 1, 100]) {
    const found = ridgeCoefficients(spectrum, targets, ridge);
    for (const [i, value] of eliminate(kernel, targets, ridge).entries()) {
      expect(Math.abs(found[i]! - value)).toBeLessThan(1e-9 * (1 + Math.abs(value)));
    }
  }
});

test('cross-validation holds out each fold', () => {
  const kernel = randomKernel(9, 12, 3);
  const targets = Array.from({ length: 9 }, (_, i) => Math.cos(i));
  const foldOf = Uint32Array.from([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  const ridges = [0.1, 3];
  const expected = ridges.map((ridge) => {
    let error = 0;
    for (const fold of [0, 1, 2]) {
      const rows = [...foldOf.keys()].filter((i) => foldOf[i] !== fold);
      const values = Float64Array.from(rows.flatMap((i) => rows.map((j) => kernel.values[i * 9 + j]!)));
      const alpha = eliminate(
        { rows: 6, columns: 6, values },
        rows.map((i) => targets[i]!),
        ridge,
      );
      for (const [i, of] of foldOf.entries()) {
        if (of !== fold) continue;
        error += (rows.reduce((sum, j, k) => sum + kernel.values[i * 9 + j]! * alpha[k]!, 0) - targets[i]!) ** 2 / 9;
      }
    }
    return error;
  });
  const found = crossValidateRidges(kernel, { targets, foldOf }, ridges);
  for (const [r, error] of expected.entries()) expect(found[r]).toBeCloseTo(error, 9);
});

describe('kernels that are not positive definite', () => {
  test('singular ones have their limit at ridge 0', () => {
    const kernel = randomKernel(10, 3, 4);
    const spectrum = kernelSpectrum(kernel);
    expect(definiteness(spectrum).jitter).toBeGreaterThan(0);
    // targets within the kernel's range are met exactly
    const targets = Array.from({ length: 10 }, (_, i) => kernel.values[i]! + kernel.values[20 + i]!);
    const alpha = ridgeCoefficients(spectrum, targets, 0);
    for (let i = 0; i < 10; i++) {
      let sum = 0;
      for (let j = 0; j < 10; j++) sum += kernel.values[i * 10 + j]! * alpha[j]!;
      expect(sum).toBeCloseTo(targets[i]!, 9);
    }
    expect(Math.max(...alpha.map(Math.abs))).toBeLessThan(10);
  });

  test('indefinite ones are refused with how far and what jitter would do', () => {
    const kernel = { rows: 2, columns: 2, values: Float64Array.from([1, 3, 3, 1]) };
    expect(() => kernelSpectrum(kernel)).toThrow(
      /smallest eigenvalue is -2\.00, its largest 4\.00.*2\.00 on the diagonal/,
    );
    expect(indefiniteness(kernel)).toMatch(/smallest eigenvalue is -2\.00/);
  });

  test('the jitter that is named makes an indefinite one positive definite; a tenth of it does not', () => {
    const { values, rows: n } = randomKernel(8, 8, 7);
    // one eigenvalue below 0: the first example minus a multiple of itself
    values[0] = values[0]! - 40;
    const { jitter } = definiteness(symmetricEigen(values, n));
    const shifted = (by: number) => ({
      rows: n,
      columns: n,
      values: values.map((value, at) => (at % (n + 1) === 0 ? value + by : value)),
    });
    expect(jitter).toBeGreaterThan(1);
    expect(indefiniteness(shifted(jitter))).toBeNull();
    expect(indefiniteness(shifted(jitter / 10))).toMatch(/not positive semidefinite/);
    expect(() => kernelSpectrum(shifted(jitter))).not.toThrow();
  });

  test('singular ones, and values off by rounding, pass', () => {
    const { values, rows: n } = randomKernel(30, 4, 8);
    const off = values.map((value, at) => value * (1 + (at % 3) * Number.EPSILON));
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) off[i * n + j] = off[j * n + i]!;
    expect(indefiniteness({ rows: n, columns: n, values: off })).toBeNull();
  });
});
