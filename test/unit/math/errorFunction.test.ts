import { expect, test } from 'vitest';
import { complementaryErrorFunction, errorFunction, normalDistribution } from './errorFunction.ts';

/** x, erf, erfc and ndtr of scipy.special (1.17). */
const REFERENCE = [
  [-7, -1.0, 2.0, 1.279812543885835e-12],
  [-3, -0.9999779095030014, 1.9999779095030015, 0.0013498980316300933],
  [-1.1, -0.8802050695740817, 1.8802050695740817, 0.13566606094638267],
  [-0.3, -0.3286267594591274, 1.3286267594591274, 0.3820885778110474],
  [0.01, 0.011283415555849616, 0.9887165844441503, 0.5039893563146316],
  [0.5, 0.5204998778130465, 0.4795001221869535, 0.6914624612740131],
  [0.9, 0.7969082124228322, 0.20309178757716784, 0.8159398746532405],
  [1.3, 0.9340079449406524, 0.06599205505934758, 0.9031995154143897],
  [2.5, 0.999593047982555, 0.00040695201744495886, 0.9937903346742238],
  [3.7, 0.9999998328489421, 1.6715105790914599e-7, 0.9998922002665226],
  [5.5, 0.9999999999999927, 7.357847917974398e-15, 0.9999999810104375],
  [10.0, 1.0, 2.0884875837625446e-45, 1.0],
] as const;

test.each(REFERENCE)('error functions and normal distribution at %f agree with the reference', (x, erf, erfc, ndtr) => {
  expect(errorFunction(x) / erf).toBeCloseTo(1, 14);
  expect(complementaryErrorFunction(x) / erfc).toBeCloseTo(1, 13);
  expect(normalDistribution(x) / ndtr).toBeCloseTo(1, 12);
});

test('the error function is odd, 0 at 0 and ±1 at infinity', () => {
  expect(errorFunction(0)).toBe(0);
  expect(errorFunction(-0.77)).toBe(-errorFunction(0.77));
  expect([errorFunction(Number.POSITIVE_INFINITY), errorFunction(Number.NEGATIVE_INFINITY)]).toEqual([1, -1]);
});
