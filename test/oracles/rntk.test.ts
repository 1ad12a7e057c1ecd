import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { recurrentKernelPair } from '#workers/kernels/recurrent/recurrentKernelPair.ts';
import type { RecurrentKernelParameters } from '#workers/kernels/recurrent/recurrentKernelParameters.ts';
import { recurrentKernelTables, recurrentVariances } from '#workers/kernels/recurrent/recurrentKernelTables.ts';
import { vectorSequencePair } from '#workers/kernels/recurrent/sequencePair.ts';
import { oracleFile } from './oracleFile.ts';

const number = z.number();
const vectors = z.array(z.array(number));
const network = {
  phi: z.enum(['relu', 'erf', 'linear']),
  L: number,
  sigma_w: number,
  sigma_u: number,
  sigma_b: number,
  sigma_v: number,
  sigma_h: number,
};
const value = z.object({ theta: number, nngp: number });
const oracle = oracleFile(
  'rntk.json',
  z.object({
    pairs: z.array(
      z.object({
        ...network,
        x: vectors,
        y: vectors,
        xy: value,
        xx: value,
        yy: value,
        x_and_copy_of_x_as_two_samples: value.optional(),
      }),
    ),
    tables: z.array(
      z.object({
        ...network,
        x: vectors,
        y: vectors,
        theta: number,
        nngp: number,
        Sigma: z.array(vectors),
        Pi_diag: vectors,
        Sigma_xx_diag: vectors,
        Sigma_yy_diag: vectors,
      }),
    ),
    grams: z.array(z.object({ ...network, X: z.array(vectors), theta: vectors, nngp: vectors })),
    fig2: z.object({ ...network, x: vectors, alpha: z.array(number), theta: z.array(number), nngp: z.array(number) }),
  }),
);

type Network = z.output<z.ZodObject<typeof network>>;

function parametersOf(given: Network): RecurrentKernelParameters {
  return {
    activation: given.phi,
    layers: given.L,
    sigmaW: given.sigma_w,
    sigmaU: given.sigma_u,
    sigmaV: given.sigma_v,
    sigmaB: given.sigma_b,
    sigmaH: given.sigma_h,
  };
}

function expectNear(found: number, expected: number, where: string): void {
  expect(Math.abs(found - expected), `${where}: ${found}, expected ${expected}`).toBeLessThanOrEqual(
    1e-9 * Math.abs(expected) + 1e-12,
  );
}

describe.each([
  ['the literal equations', recurrentKernelTables],
  ['the forward recursion', recurrentKernelPair],
] as const)('%s', (_name, kernel) => {
  test('match every pair: lengths both ways, layers, the same sample and a copy', () => {
    for (const [index, pair] of oracle.pairs.entries()) {
      const parameters = parametersOf(pair);
      const copy = pair.x.map((vector) => [...vector]);
      const cases = [
        ['xy', pair.x, pair.y],
        ['xx', pair.x, pair.x],
        ['yy', pair.y, pair.y],
        ['x_and_copy_of_x_as_two_samples', pair.x, copy],
      ] as const;
      for (const [name, x, y] of cases) {
        const expected = pair[name];
        if (expected === undefined) continue;
        const found = kernel(parameters, vectorSequencePair(x, y));
        expectNear(found.theta, expected.theta, `pair ${index} ${name} theta`);
        expectNear(found.nngp, expected.nngp, `pair ${index} ${name} nngp`);
      }
    }
  });

  test('match whole Gram matrices, one of ragged sequences', () => {
    for (const gram of oracle.grams) {
      const parameters = parametersOf(gram);
      for (const [i, x] of gram.X.entries()) {
        for (const [j, y] of gram.X.entries()) {
          const found = kernel(parameters, vectorSequencePair(x, y));
          expectNear(found.theta, gram.theta[i]![j]!, `theta ${i} ${j}`);
          expectNear(found.nngp, gram.nngp[i]![j]!, `nngp ${i} ${j}`);
        }
      }
    }
  });

  test('match the curve of RNTK Figure 2', () => {
    const { x, alpha } = oracle.fig2;
    for (const [index, angle] of alpha.entries()) {
      const y = [[Math.cos(angle)], [Math.sin(angle)]];
      const found = kernel(parametersOf(oracle.fig2), vectorSequencePair(x, y));
      expectNear(found.theta, oracle.fig2.theta[index]!, `theta at ${angle}`);
      expectNear(found.nngp, oracle.fig2.nngp[index]!, `nngp at ${angle}`);
    }
  });
});

test('Sigma, Pi and the variances match at every time and layer', () => {
  for (const table of oracle.tables) {
    const parameters = parametersOf(table);
    const pair = vectorSequencePair(table.x, table.y);
    const found = recurrentKernelTables(parameters, pair);
    for (const [l, layer] of table.Sigma.entries()) {
      for (const [t, row] of layer.entries()) {
        for (const [s, expected] of row.entries())
          expectNear(found.sigma[l]![t]![s]!, expected, `Sigma ${l} ${t} ${s}`);
      }
      for (const [t, expected] of table.Pi_diag[l]!.entries()) expectNear(found.pi[l]![t]!, expected, `Pi ${l} ${t}`);
    }
    const own = [
      [table.x, pair.norms[0], table.Sigma_xx_diag],
      [table.y, pair.norms[1], table.Sigma_yy_diag],
    ] as const;
    for (const [sequence, norm, expected] of own) {
      const variances = recurrentVariances(parameters, sequence.length, norm);
      for (const [l, row] of expected.entries()) {
        for (const [t, variance] of row.entries()) expectNear(variances[l]![t]!, variance, `variance ${l} ${t}`);
      }
    }
  }
});
