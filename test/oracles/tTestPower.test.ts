import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tTestPower, valuesForPower } from '#src/statistics/power.ts';
import tTestPowers from './tTestPower.json';

const number = z.number();
const oracle = z
  .object({
    power: z.array(z.object({ noncentrality: number, df: number, level: number, power: number })),
    needed: z.array(z.object({ size: number, dfFactor: number, level: number, n: number })),
  })
  .parse(tTestPowers);

describe('power of t-tests', () => {
  test.each(oracle.power)(
    'noncentrality $noncentrality, $df degrees of freedom, level $level',
    ({ power, ...input }) => {
      expect(Math.abs(tTestPower(input) - power)).toBeLessThan(1e-5);
    },
  );

  test.each(oracle.needed)(
    '$n values for an effect of $size, factor $dfFactor, level $level',
    ({ n, level, ...effect }) => {
      expect(valuesForPower(effect, { power: 0.8, level })).toBe(n);
    },
  );

  test('none suffices for no effect, or for one too small', () => {
    expect(valuesForPower({ size: 0, dfFactor: 1 }, { power: 0.8, level: 0.05 })).toBeNull();
    expect(valuesForPower({ size: 0.01, dfFactor: 1 }, { power: 0.8, level: 0.05 })).toBeNull();
  });
});
