import { cholesky } from '#workers/math/dense/cholesky.ts';
import { type SymmetricEigen, symmetricEigen } from '#workers/math/dense/symmetricEigen.ts';
import type { KernelMatrix } from './kernelMatrix.ts';

/** How far from positive definite a matrix is. */
export interface Definiteness {
  smallest: number;
  largest: number;
  /** Size of eigenvalues that rounding alone may make: n eps times the largest. */
  rounding: number;
  /** Least amount on the diagonal that makes it positive definite beyond rounding; 0 where it is already. */
  jitter: number;
}

/** Factor on n eps: a kernel's own values carry a few roundings each. */
const ROUNDINGS = 16;

export function definiteness({ values }: Pick<SymmetricEigen, 'values'>): Definiteness {
  const smallest = values[0];
  const largest = values[values.length - 1];
  const rounding = ROUNDINGS * values.length * Number.EPSILON * Math.max(largest, -smallest);
  return { smallest, largest, rounding, jitter: smallest > rounding ? 0 : rounding - smallest };
}

/** What is wrong with a kernel that has an eigenvalue below 0 by more than rounding makes: how far, and what jitter would do. */
export function indefiniteMessage({ smallest, largest, rounding, jitter }: Definiteness): string {
  return (
    `the kernel is not positive semidefinite: its smallest eigenvalue is ${smallest.toPrecision(3)}, its largest ` +
    `${largest.toPrecision(3)}, and rounding explains ${rounding.toPrecision(1)}. ${jitter.toPrecision(3)} on the diagonal ` +
    `(${(jitter / largest).toPrecision(2)} of the largest eigenvalue) would make it positive definite, at the price of a ridge of that size`
  );
}

/**
 * `indefiniteMessage` for a finite Gram matrix that is not positive semidefinite beyond rounding, else null. A factorisation
 * answers for most matrices; only one that it refuses is taken apart, which takes some thirty times as long.
 */
export function indefiniteness({ rows: n, values }: KernelMatrix): string | null {
  const shifted = values.slice();
  let trace = 0;
  for (let i = 0; i < n; i++) trace += Math.abs(values[i * n + i]);
  for (let i = 0; i < n; i++) shifted[i * n + i] += ROUNDINGS * n * Number.EPSILON * trace;
  try {
    cholesky(shifted, n);
    return null;
  } catch {
    const found = definiteness(symmetricEigen(values, n));
    return found.smallest < -found.rounding ? indefiniteMessage(found) : null;
  }
}
