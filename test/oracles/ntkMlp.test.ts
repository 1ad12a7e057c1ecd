import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { type VectorKernel, vectorGram, vectorSet } from '#workers/kernels/recurrent/vectorGram.ts';
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
    empirical_check: z.object({
      phi: z.enum(['relu', 'erf', 'linear']),
      L: number,
      sigma_w: number,
      sigma_b: number,
      sigma_v: number,
      i: number,
      j: number,
      ntk: number,
    }),
  }),
);

const cases: { kernel: VectorKernel; expected: number[][] }[] = [
  ...oracle.ntk.flatMap(
    ({ phi: activation, L: layers, sigma_w: sigmaW, sigma_b: sigmaB, sigma_v: sigmaV, ntk, nngp }) => {
      const network = { activation, layers, sigmaW, sigmaB, sigmaV };
      return [
        { kernel: { name: 'mlp-ntk' as const, ...network }, expected: ntk },
        { kernel: { name: 'mlp-nngp' as const, ...network }, expected: nngp },
      ];
    },
  ),
  ...oracle.rbf.map(({ alpha, K }) => ({ kernel: { name: 'rbf' as const, alpha }, expected: K })),
  ...oracle.poly.map(({ r: offset, d: degree, K }) => ({
    kernel: { name: 'polynomial' as const, degree, offset },
    expected: K,
  })),
];

describe.each([['by the plain reference implementation'], ['by compiled kernels']])('kernels of vectors %s', (how) => {
  test('the tangent kernels and Gaussian processes of perceptrons, RBF and polynomial kernels', async () => {
    const engine = how === 'by compiled kernels' ? await NumericThreads.openIfBuilt(2) : null;
    const rows = vectorSet(oracle.X);
    for (const { kernel, expected } of cases) {
      const symmetric = vectorGram(engine, { rows, columns: null }, { kernel });
      const rectangular = vectorGram(
        engine,
        { rows: vectorSet(oracle.X), columns: vectorSet(oracle.X.slice(1)) },
        { kernel },
      );
      for (const [i, row] of expected.entries()) {
        for (const [j, value] of row.entries()) {
          const allowed = 1e-8 * Math.abs(value) + 1e-12;
          const where = `${JSON.stringify(kernel)} ${i} ${j}`;
          expect(Math.abs(symmetric.values[i * row.length + j]! - value), where).toBeLessThanOrEqual(allowed);
          if (j === 0) continue;
          const found = rectangular.values[i * (row.length - 1) + j - 1]!;
          expect(Math.abs(found - value), `${where} rectangular`).toBeLessThanOrEqual(allowed);
        }
      }
    }
    await engine?.close();
  });
});

test('the read-out factor is that of sigma_v (docs/errata.md, 4)', () => {
  const {
    phi: activation,
    L: layers,
    sigma_w: sigmaW,
    sigma_b: sigmaB,
    sigma_v: sigmaV,
    i,
    j,
    ntk,
  } = oracle.empirical_check;
  const kernel = { name: 'mlp-ntk', activation, layers, sigmaW, sigmaB, sigmaV } as const;
  const gram = vectorGram(null, { rows: vectorSet(oracle.X), columns: null }, { kernel });
  expect(gram.values[i * oracle.X.length + j]).toBeCloseTo(ntk, 10);
});
