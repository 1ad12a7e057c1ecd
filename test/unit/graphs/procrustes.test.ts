import { expect, test } from 'vitest';
import { procrustesRotation } from '#workers/graphs/procrustes.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

const generator = randomGenerator(5, 'procrustes');
const table = (rows: number, columns: number) =>
  Float64Array.from({ length: rows * columns }, () => generator.normal());

function product(a: Float64Array, b: Float64Array, inner: number): Float64Array {
  const [rows, columns] = [a.length / inner, b.length / inner];
  return Float64Array.from({ length: rows * columns }, (_, at) => {
    let sum = 0;
    for (let k = 0; k < inner; k++) sum += a[Math.floor(at / columns) * inner + k]! * b[k * columns + (at % columns)]!;
    return sum;
  });
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.hypot(...a.map((value, at) => value - b[at]!));
}

test('a table that was turned and mirrored is brought back', () => {
  const a = table(20, 3);
  const turn = Float64Array.of(0, 1, 0, -1, 0, 0, 0, 0, -1); // orthogonal
  const b = product(a, turn, 3);
  expect(distance(product(b, procrustesRotation(a, b, 3), 3), a)).toBeLessThan(1e-9);
});

test('the rotation is orthogonal, and small turns of it bring the tables no closer', () => {
  const [a, b] = [table(30, 4), table(30, 4)];
  const rotation = procrustesRotation(a, b, 4);
  const transposed = rotation.map((_, at) => rotation[(at % 4) * 4 + Math.floor(at / 4)]!);
  const identity = Float64Array.from({ length: 16 }, (_, at) => (at % 5 === 0 ? 1 : 0));
  expect(distance(product(rotation, transposed, 4), identity)).toBeLessThan(1e-12);
  const best = distance(product(b, rotation, 4), a);
  for (const [i, j] of [
    [0, 1],
    [1, 3],
    [2, 0],
  ] as const) {
    const turn = identity.slice();
    turn[5 * i] = turn[5 * j] = Math.cos(0.01);
    turn[4 * i + j] = Math.sin(0.01);
    turn[4 * j + i] = -Math.sin(0.01);
    expect(distance(product(b, product(rotation, turn, 4), 4), a)).toBeGreaterThan(best);
  }
});
