/**
 * The Chebyshev polynomial T_degree of the interval [low, cut] mapped to [-1, 1]: at most 1 there in magnitude, growing
 * fast above. A Krylov process on it finds the eigenvalues above `cut` with fewer vectors to keep orthogonal.
 */
export interface ChebyshevFilter {
  degree: number;
  centre: number;
  /** Half the interval's length. */
  radius: number;
}

const MAXIMUM_DEGREE = 10;

/** `degree` is lowered until rounding, which the filter amplifies with its largest value, stays below `tolerance`. */
export function chebyshevFilter(
  [low, cut, high]: readonly [number, number, number],
  degree: number,
  tolerance: number,
): ChebyshevFilter {
  const [centre, radius] = [(cut + low) / 2, (cut - low) / 2];
  const angle = Math.acosh(Math.max(1, (high - centre) / radius));
  const lost = (d: number) => (Math.cosh(d * angle) * Number.EPSILON * radius) / (d * d);
  let chosen = Math.min(degree, MAXIMUM_DEGREE);
  while (chosen > 2 && lost(chosen) > tolerance) chosen -= 1;
  return { degree: chosen, centre, radius };
}

/** d filter(x) / dx at the eigenvalue whose filtered value is `filtered`; at the interval's end for values up to 1. */
export function filterSlope({ degree, radius }: ChebyshevFilter, filtered: number): number {
  if (degree === 1) return 1 / radius;
  const angle = Math.acosh(Math.max(filtered, 1)) / degree;
  if (angle < 1e-9) return (degree * degree) / radius;
  return (degree * Math.sinh(degree * angle)) / (Math.sinh(angle) * radius);
}
