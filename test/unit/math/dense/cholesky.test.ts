import { expect, test } from 'vitest';
import { cholesky, solveTriangular } from '#workers/math/dense/cholesky.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

test('a factor is lower triangular, solves systems, and is refused for what is not positive definite', () => {
  const [n, width] = [40, 3];
  const generator = randomGenerator(2, 'cholesky');
  const root = Float64Array.from({ length: n * n }, () => generator.normal());
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) a[i * n + j]! += root[i * n + k]! * root[j * n + k]!;
    a[i * n + i]! += 1;
  }
  const factor = cholesky(a, n);
  for (let i = 0; i < n; i++)
    expect(factor.subarray(i * n + i + 1, (i + 1) * n).every((value) => value === 0)).toBe(true);
  const b = Float64Array.from({ length: n * width }, (_, i) => Math.sin(i));
  const forward = solveTriangular(factor, n, { b, width, transposed: false });
  const x = solveTriangular(factor, n, { b: forward, width, transposed: true });
  for (let row = 0; row < n; row++) {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += a[row * n + k]! * x[k * width]!;
    expect(sum).toBeCloseTo(b[row * width]!, 9);
  }
  a[30 * n + 30] = -3;
  expect(() => cholesky(a, n)).toThrow(/pivot 31 of 40.*adding about/);
});
