const SERIES_BELOW = 1.5;
const MAXIMUM_TERMS = 500;
const CONVERGED = 1e-17;

/** P(Z >= z) of the standard normal distribution, to about 14 digits in either tail; 0 beyond z = 38. */
export function normalAbove(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (z < 0) return 1 - normalAbove(-z);
  return complementaryError(z / Math.SQRT2) / 2;
}

/** erfc(x) for x >= 0: by the series DLMF 7.6.2 near 0, else by the continued fraction DLMF 7.9.1. */
function complementaryError(x: number): number {
  const square = x * x;
  if (x < SERIES_BELOW) {
    let term = x;
    let sum = x;
    for (let n = 1; n < MAXIMUM_TERMS && term > CONVERGED * sum; n++) {
      term *= (2 * square) / (2 * n + 1);
      sum += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-square) * sum;
  }
  if (!Number.isFinite(x)) return 0;
  // From its far end: the terms needed grow as x comes near 0, and 200 are enough for 1.5.
  let fraction = x;
  for (let n = 200; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-square) / Math.sqrt(Math.PI) / fraction;
}
