import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { recurrentGram } from '#workers/kernels/recurrent/recurrentGram.ts';
import type { RecurrentKernelParameters } from '#workers/kernels/recurrent/recurrentKernelParameters.ts';
import { type SeriesSet, seriesSet } from '#workers/kernels/recurrent/seriesSet.ts';
import { kernelsAreBuilt } from '#workers/wasm/calls/kernelModule.ts';
import { oracleFile } from './oracleFile.ts';

const number = z.number();
const vectors = z.array(z.array(number));
const value = z.object({ theta: number, nngp: number });
const network = {
  phi: z.enum(['relu', 'erf', 'linear']),
  L: number,
  sigma_w: number,
  sigma_u: number,
  sigma_b: number,
  sigma_v: number,
  sigma_h: number,
};
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
    grams: z.array(z.object({ ...network, X: z.array(vectors), theta: vectors, nngp: vectors })),
    fig2: z.object({ ...network, x: vectors, alpha: z.array(number), theta: z.array(number), nngp: z.array(number) }),
  }),
);

function parametersOf(given: z.output<z.ZodObject<typeof network>>): RecurrentKernelParameters {
  const { phi: activation, L: layers, sigma_w: sigmaW, sigma_u: sigmaU, sigma_v: sigmaV } = given;
  return { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB: given.sigma_b, sigmaH: given.sigma_h };
}

const setOf = (series: readonly (readonly (readonly number[])[])[]): SeriesSet =>
  seriesSet(
    series.map((one) => one.flat()),
    series[0]![0]!.length,
  );

function expectNear(found: ArrayLike<number>, expected: readonly number[], where: string): void {
  for (const [i, value] of expected.entries()) {
    const difference = Math.abs(found[i]! - value);
    expect(difference, `${where} ${i}: ${found[i]}, expected ${value}`).toBeLessThanOrEqual(
      1e-9 * Math.abs(value) + 1e-12,
    );
  }
}

if (!kernelsAreBuilt()) console.warn('skipped: dist/kernels.wasm is not built (npm run build)');
const KERNELS = [
  ['rntk', 'theta'],
  ['nngp', 'nngp'],
] as const;

describe.each([
  ['the plain reference implementation', 0],
  ['one thread', 1],
  ['two threads', 2],
] as const)('Gram matrices by %s', (_name, threads) => {
  if (threads > 0 && !kernelsAreBuilt()) {
    expect(process.env.CI, 'dist/kernels.wasm is not built').not.toBe('true');
    return;
  }
  let engine: NumericThreads | null = null;
  beforeAll(async () => {
    if (threads > 0) engine = await NumericThreads.openIfBuilt(threads);
  });
  afterAll(async () => engine?.close());

  test.each(KERNELS)('%s of every set, one of ragged sequences', (kernel, name) => {
    for (const [index, gram] of oracle.grams.entries()) {
      const options = { network: parametersOf(gram), kernel };
      const rows = setOf(gram.X);
      const found = recurrentGram(engine, { rows, columns: null }, options);
      expectNear(found.values, gram[name].flat(), `gram ${index}`);
      // The same series as other samples: equal off the diagonal, whatever sigma_h is.
      const cross = recurrentGram(engine, { rows, columns: setOf(gram.X.slice(0, 2)) }, options);
      expect([cross.rows, cross.columns]).toEqual([gram.X.length, 2]);
      for (let i = 2; i < cross.rows; i++) {
        expectNear(cross.values.subarray(2 * i, 2 * i + 2), gram[name][i]!.slice(0, 2), `cross ${index} ${i}`);
      }
    }
  });

  test.each(KERNELS)('%s of every pair: lengths both ways, layers, itself and a copy', (kernel, name) => {
    for (const [index, pair] of oracle.pairs.entries()) {
      const options = { network: parametersOf(pair), kernel };
      const both = recurrentGram(engine, { rows: setOf([pair.x, pair.y]), columns: null }, options);
      const [xx, xy, yy] = [pair.xx[name], pair.xy[name], pair.yy[name]];
      expectNear(both.values, [xx, xy, xy, yy], `pair ${index}`);
      if (pair.x_and_copy_of_x_as_two_samples === undefined) continue;
      const copy = recurrentGram(engine, { rows: setOf([pair.x]), columns: setOf([pair.x]) }, options);
      expectNear(copy.values, [pair.x_and_copy_of_x_as_two_samples[name]], `copy ${index}`);
    }
  });

  test('the curve of RNTK Figure 2', () => {
    const { x, alpha } = oracle.fig2;
    const columns = setOf(alpha.map((angle) => [[Math.cos(angle)], [Math.sin(angle)]]));
    for (const [kernel, name] of KERNELS) {
      const options = { network: parametersOf(oracle.fig2), kernel };
      expectNear(recurrentGram(engine, { rows: setOf([x]), columns }, options).values, oracle.fig2[name], name);
    }
  });
});
