import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  innerProducts,
  linearGram,
  perceptronGram,
  polynomialGram,
  rbfGram,
} from '#workers/kernels/recurrent/inputGram.ts';
import type { KernelMatrix } from '#workers/kernels/recurrent/kernelMatrix.ts';
import { oracleFile } from './oracleFile.ts';

const number = z.number();
const matrix = z.array(z.array(number));
const oracle = oracleFile(
  'ntk_mlp.json',
  z.object({
    X: matrix,
    ntk: z.array(
      z.object({
        phi: z.enum(['relu', 'erf', 'linear']),
        L: number,
        sigma_w: number,
        sigma_b: number,
        sigma_v: number,
        ntk: matrix,
        nngp: matrix,
      }),
    ),
    rbf: z.array(z.object({ alpha: number, K: matrix })),
    poly: z.array(z.object({ r: number, d: number, K: matrix })),
  }),
);
const inputs = { values: Float64Array.from(oracle.X.flat()), dimension: oracle.X[0]!.length };

/** Both as a symmetric matrix and as rows against columns. */
function expectBoth(kernel: (inner: ReturnType<typeof innerProducts>) => KernelMatrix, expected: number[][]): void {
  for (const inner of [innerProducts(inputs, null), innerProducts(inputs, inputs)]) {
    const { values, columns } = kernel(inner);
    for (const [i, row] of expected.entries()) {
      for (const [j, value] of row.entries()) {
        expect(Math.abs(values[i * columns + j]! - value)).toBeLessThanOrEqual(1e-8 * Math.abs(value) + 1e-12);
      }
    }
  }
}

test('tangent kernels of perceptrons, and their kernels at initialisation', () => {
  for (const { phi, L, sigma_w, sigma_b, sigma_v, ntk, nngp } of oracle.ntk) {
    const network = { activation: phi, layers: L, sigmaW: sigma_w, sigmaB: sigma_b, sigmaV: sigma_v };
    expectBoth((inner) => perceptronGram(inner, network, 'ntk'), ntk);
    expectBoth((inner) => perceptronGram(inner, network, 'nngp'), nngp);
  }
});

test('radial basis functions, polynomials, inner products', () => {
  for (const { alpha, K } of oracle.rbf) expectBoth((inner) => rbfGram(inner, { alpha }), K);
  for (const { r, d, K } of oracle.poly) expectBoth((inner) => polynomialGram(inner, { degree: d, offset: r }), K);
  expectBoth(
    linearGram,
    oracle.X.map((x) => oracle.X.map((y) => x.reduce((sum, value, k) => sum + value * y[k]!, 0))),
  );
});

test('refuses ragged inputs', () => {
  expect(() => innerProducts({ values: new Float64Array(7), dimension: 3 }, null)).toThrow(/one length/);
});
