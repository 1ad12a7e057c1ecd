import { expect, test } from 'vitest';
import { z } from 'zod';
import { crossedSide, crossedTest } from '#src/statistics/crossedTest.ts';
import crossedTests from './crossedTest.json';

const number = z.number();
const oracle = z
  .object({
    cases: z.array(
      z.object({
        sides: z.tuple([z.array(z.array(number)), z.array(z.array(number))]),
        ...{ difference: number, standardError: number, byMeanSquares: number, df: number, p: number },
      }),
    ),
  })
  .parse(crossedTests);

test.each(oracle.cases)('seeds and users in one test as statsmodels fits them, df $df', ({ sides, ...expected }) => {
  const [a, b] = sides.map((rows) => crossedSide(rows.map((row) => Float64Array.from(row))));
  const { method, difference, t, df, p } = crossedTest(a!, b!, 'higher')!;
  expect(method).toBe('crossed');
  expect(difference).toBeCloseTo(expected.difference, 10);
  // restricted maximum likelihood stops its search at four digits
  expect(difference / t / expected.standardError).toBeCloseTo(1, 3);
  expect(difference / t / expected.byMeanSquares).toBeCloseTo(1, 10);
  expect(df / expected.df).toBeCloseTo(1, 6);
  expect(p / expected.p).toBeCloseTo(1, 6);
});
