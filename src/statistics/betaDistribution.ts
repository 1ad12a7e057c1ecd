import { betaFraction, logGamma } from './studentDistribution.ts';

const HALVINGS = 100;

/** P(X <= x) of the beta distribution, a and b above 0: the regularized incomplete beta function, DLMF 8.17.22. */
export function betaBelow(x: number, { a, b }: { a: number; b: number }): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a;
  return 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** The x with P(X <= x) = p of the beta distribution, by halving. */
export function betaQuantile(p: number, shape: { a: number; b: number }): number {
  let [low, high] = [0, 1];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (betaBelow(middle, shape) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
