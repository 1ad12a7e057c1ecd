import { WarrenError } from '#src/base/contracts/errors.ts';

/** Rotations of one QL sweep: the k-th pair (cosine, sine) turns rows top - k and top - k + 1 of the transposed eigenvectors. */
export type RotationSweep = (top: number, count: number, rotations: Float64Array) => void;

const MAXIMUM_SWEEPS = 60;

/**
 * Eigenvalues of the symmetric tridiagonal matrix with the given `diagonal` (n), which they replace, unsorted, and
 * `below` (n; below[i] is beside i and i + 1, the last is not used), which is destroyed: implicit QL, EISPACK's `tql2`.
 * Every sweep's rotations go to `onSweep`. Throws INTERNAL if it does not converge, which NaN alone makes happen.
 */
export function tridiagonalEigen(diagonal: Float64Array, below: Float64Array, onSweep: RotationSweep): void {
  const n = diagonal.length;
  if (n > 0) below[n - 1] = 0;
  const rotations = new Float64Array(2 * n);
  let shift = 0;
  let scale = 0;
  for (let low = 0; low < n; low++) {
    scale = Math.max(scale, Math.abs(diagonal[low]!) + Math.abs(below[low]!));
    let high = low;
    while (high < n - 1 && Math.abs(below[high]!) > Number.EPSILON * scale) high++;
    if (high > low) {
      let sweeps = 0;
      do {
        if (++sweeps > MAXIMUM_SWEEPS) {
          throw new WarrenError('INTERNAL', `the QL iteration did not converge at eigenvalue ${low} of ${n}`);
        }
        shift += sweep(diagonal, below, low, high, rotations);
        onSweep(high - 1, high - low, rotations);
      } while (Math.abs(below[low]!) > Number.EPSILON * scale);
    }
    diagonal[low]! += shift;
    below[low] = 0;
  }
}

/** One implicit QL sweep between `low` and `high`; returns what was taken from all later diagonal elements. */
function sweep(d: Float64Array, e: Float64Array, low: number, high: number, rotations: Float64Array): number {
  const first = d[low]!;
  let p = (d[low + 1]! - first) / (2 * e[low]!);
  const root = p < 0 ? -Math.sqrt(p * p + 1) : Math.sqrt(p * p + 1);
  d[low] = e[low]! / (p + root);
  d[low + 1] = e[low]! * (p + root);
  const [next, shift] = [d[low + 1]!, first - d[low]!];
  for (let i = low + 2; i < d.length; i++) d[i]! -= shift;
  p = d[high]!;
  let [c, c2, c3, s, s2] = [1, 1, 1, 0, 0];
  const beside = e[low + 1]!;
  for (let i = high - 1; i >= low; i--) {
    c3 = c2;
    c2 = c;
    s2 = s;
    const g = c * e[i]!;
    const h = c * p;
    const r = Math.sqrt(p * p + e[i]! * e[i]!);
    e[i + 1] = s * r;
    s = r === 0 ? 0 : e[i]! / r;
    c = r === 0 ? 1 : p / r;
    p = c * d[i]! - s * g;
    d[i + 1] = h + s * (c * g + s * d[i]!);
    rotations[2 * (high - 1 - i)] = c;
    rotations[2 * (high - 1 - i) + 1] = s;
  }
  p = (-s * s2 * c3 * beside * e[low]!) / next;
  e[low] = s * p;
  d[low] = c * p;
  return shift;
}
