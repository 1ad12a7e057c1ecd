import { expect, test } from 'vitest';
import { z } from 'zod';
import { noisyRegressionErrors, noisyRegressionScale } from '#workers/features/noisyRegression.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { oracleFile } from './oracleFile.ts';

const number = z.number();
const { proposition3 } = oracleFile(
  'featurize.json',
  z.object({
    proposition3: z.object({
      cases: z.array(
        z.object({
          d: number,
          q: number,
          n: number,
          sigma_h: number,
          sigma_e: number,
          oracle_support_expected: number,
          full_expected: number.nullable(),
          proposition3_scale: number,
        }),
      ),
    }),
  }),
);

const small = proposition3.cases.filter(({ n, d }) => n <= 200 && d <= 50);

test.each(small)('regression on noisy features: d = $d, q = $q, n = $n, σ_ε = $sigma_e', (one) => {
  const setting = { dimension: one.d, sparsity: one.q, samples: one.n, sigmaH: one.sigma_h, sigmaE: one.sigma_e };
  expect(noisyRegressionScale(setting)).toBeCloseTo(one.proposition3_scale, 12);
  const { support, full, lasso } = noisyRegressionErrors(setting, 120, randomGenerator(3, 'noisy regression'));
  expect(Math.abs(support.mean - one.oracle_support_expected)).toBeLessThan(4 * support.standardError);
  if (full !== null) expect(Math.abs(full.mean - one.full_expected!)).toBeLessThan(4 * full.standardError);
  // the lasso does not know the support
  expect(lasso.mean).toBeGreaterThan(support.mean);
});
