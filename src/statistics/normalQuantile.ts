import { normalAbove } from './normalDistribution.ts';

const STEPS = 4;

const NUMERATOR = [
  3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871, 221.213596169931,
  220.206867912376,
];
const DENOMINATOR = [
  8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831,
  793.826512519948, 440.413735824752,
];
const RATIONAL_BELOW = 7.07106781186547;

/**
 * P(Z <= z) of the standard normal distribution to about 14 digits after the point, an order of magnitude faster than
 * `normalAbove`: G. West, Better approximations to cumulative normal functions, Wilmott Magazine (2005), after Hart.
 */
export function normalBelow(z: number): number {
  const size = Math.abs(z);
  const tail = size > 37 ? 0 : Math.exp((-size * size) / 2) * tailFactor(size);
  return z > 0 ? 1 - tail : tail;
}

function tailFactor(size: number): number {
  if (size < RATIONAL_BELOW) return polynomial(NUMERATOR, size) / polynomial(DENOMINATOR, size);
  const fraction = size + 1 / (size + 2 / (size + 3 / (size + 4 / (size + 0.65))));
  return 1 / fraction / Math.sqrt(2 * Math.PI);
}

/** By Horner's rule, the highest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}

/**
 * The z with P(Z <= z) = p, to about 14 digits: the rational start of Abramowitz and Stegun 26.2.23, then Halley's steps on
 * the upper tail. Infinite at 0 and 1.
 * @throws RangeError for a probability that is not between 0 and 1.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a probability lies between 0 and 1, received ${p}`);
  if (p === 0 || p === 1) return p === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (p > 0.5) return upperPoint(1 - p);
  return -upperPoint(p);
}

/** The z >= 0 with P(Z >= z) = q, for q up to one half. */
function upperPoint(q: number): number {
  const t = Math.sqrt(-2 * Math.log(q));
  const numerator = 2.515517 + 0.802853 * t + 0.010328 * t ** 2;
  let z = t - numerator / (1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3);
  for (let step = 0; step < STEPS; step++) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
    const newton = (normalAbove(z) - q) / density;
    const change = newton / (1 - (z * newton) / 2);
    z += change;
    if (Math.abs(change) < 1e-15 * Math.max(1, Math.abs(z))) break;
  }
  return z;
}
