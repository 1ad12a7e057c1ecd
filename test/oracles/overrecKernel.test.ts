import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { patternKernel } from '#workers/kernels/pattern/patternKernel.ts';
import { recurrentKernelPair } from '#workers/kernels/recurrent/recurrentKernelPair.ts';
import type { RecurrentKernelParameters } from '#workers/kernels/recurrent/recurrentKernelParameters.ts';
import { recurrentKernelTables } from '#workers/kernels/recurrent/recurrentKernelTables.ts';
import { itemSequencePair } from '#workers/kernels/recurrent/sequencePair.ts';
import { oracleFile } from './oracleFile.ts';

const number = z.number();
const matrix = z.array(z.array(number));
const grams = { theta: matrix, nngp: matrix };
const oracle = oracleFile(
  'overrec_kernel.json',
  z.object({
    max_len: number,
    sequences: matrix,
    cases: z.array(
      z.object({
        phi: z.enum(['relu', 'erf', 'linear']),
        L: number,
        sigma_w: number,
        sigma_u: number,
        sigma_v: number,
        sigma_b: number,
        sigma_h: number,
        ...grams,
        authors_float32: z.object(grams).optional(),
      }),
    ),
    alg2_last_line_check: z.object({
      sigma_w: number,
      sigma_u: number,
      sigma_v: number,
      x_items: z.array(number),
      y_items: z.array(number),
      theta_sigma_v_last_line: number,
    }),
  }),
);

const KERNELS = [
  ['rntk', 'theta'],
  ['nngp', 'nngp'],
] as const;

type Case = Omit<(typeof oracle.cases)[number], 'theta' | 'nngp' | 'authors_float32'>;

function networkOf({
  phi: activation,
  L: layers,
  sigma_w: sigmaW,
  sigma_u: sigmaU,
  ...given
}: Case): RecurrentKernelParameters {
  return {
    ...{ activation, layers, sigmaW, sigmaU },
    ...{ sigmaV: given.sigma_v, sigmaB: given.sigma_b, sigmaH: given.sigma_h },
  };
}

/** Bit d is set where the items d places before both ends are equal. */
function maskOf(x: readonly number[], y: readonly number[]): Uint32Array {
  const mask = new Uint32Array(Math.ceil(oracle.max_len / 32));
  for (let d = 0; d < Math.min(x.length, y.length); d++) {
    if (x.at(-1 - d) === y.at(-1 - d)) mask[d >> 5]! |= 1 << (d & 31);
  }
  return mask;
}

describe.each(oracle.cases.map((c) => [`L ${c.L}, sigma ${c.sigma_w} ${c.sigma_u} ${c.sigma_v}`, c] as const))(
  '%s',
  (_name, given) => {
    const network = networkOf(given);

    test.each(KERNELS)('%s by match patterns and by the dense recursion', (kernel, name) => {
      const patterns = patternKernel({ network, kernel, variant: 'exact', maximumLength: oracle.max_len });
      for (const [i, x] of oracle.sequences.entries()) {
        for (const [j, y] of oracle.sequences.entries()) {
          const expected = given[name][i]![j]!;
          const dense = recurrentKernelPair(network, itemSequencePair(x, y))[name];
          expect(Math.abs(dense - expected), `dense ${i} ${j}`).toBeLessThanOrEqual(1e-9 * expected);
          expect(patterns.value(x.length, y.length, maskOf(x, y), 0), `pattern ${i} ${j}`).toBe(dense);
        }
      }
    });
  },
);

test.each([
  ['erf', 1],
  ['erf', 3],
  ['linear', 2],
  ['relu', 3],
] as const)(
  '%s with %i layers of their own variances: patterns give the bits of the dense recursion',
  (activation, layers) => {
    const perLayer = (...values: number[]) => values.slice(0, layers);
    const network: RecurrentKernelParameters = {
      activation,
      layers,
      sigmaW: perLayer(1.1, 0.9, 1.3),
      sigmaU: perLayer(0.8, 1.2, 1),
      sigmaV: 1.1,
      sigmaB: perLayer(0, 0.2, 0.1),
      sigmaH: 0,
    };
    for (const [kernel, name] of KERNELS) {
      const patterns = patternKernel({ network, kernel, variant: 'exact', maximumLength: oracle.max_len });
      for (const x of oracle.sequences) {
        for (const y of oracle.sequences) {
          const dense = recurrentKernelPair(network, itemSequencePair(x, y))[name];
          expect(patterns.value(x.length, y.length, maskOf(x, y), 0)).toBe(dense);
          const literal = recurrentKernelTables(network, itemSequencePair(x, y))[name];
          expect(Math.abs(dense - literal)).toBeLessThanOrEqual(1e-12 * Math.abs(literal));
        }
      }
    }
  },
);

const byAuthors = oracle.cases.flatMap(({ authors_float32, ...given }) =>
  authors_float32 === undefined
    ? []
    : KERNELS.map(([kernel, name]) => ({ given, kernel, expected: authors_float32[name] })),
);

test.each(byAuthors)(
  "$kernel by the authors' recursion, sigma $given.sigma_w $given.sigma_u",
  ({ given, kernel, expected }) => {
    const { max_len: maximumLength, sequences } = oracle;
    const patterns = patternKernel({ network: networkOf(given), kernel, variant: 'author', maximumLength });
    for (const [i, x] of sequences.entries()) {
      for (const [j, y] of sequences.entries()) {
        const found = patterns.value(x.length, y.length, maskOf(x, y), 0);
        expect(Math.abs(found - expected[i]![j]!), `${i} ${j}`).toBeLessThanOrEqual(2e-6);
      }
    }
  },
);

test("Algorithm 2's last line has sigma_V (docs/errata.md, 6)", () => {
  const check = oracle.alg2_last_line_check;
  const found = recurrentKernelPair(
    networkOf({ phi: 'relu', L: 1, sigma_b: 0, sigma_h: 0, ...check }),
    itemSequencePair(check.x_items, check.y_items),
  );
  expect(found.theta).toBeCloseTo(check.theta_sigma_v_last_line, 9);
});
