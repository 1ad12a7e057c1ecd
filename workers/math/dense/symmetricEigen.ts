import { tridiagonalEigen } from './tridiagonalEigen.ts';
import { tridiagonalForm } from './tridiagonalForm.ts';

export interface SymmetricEigen {
  /** (n) Ascending. */
  values: Float64Array;
  /** (n, n) Row i is the unit eigenvector of value i; its component of largest magnitude is positive (the first of equals). */
  vectors: Float64Array;
}

/** All eigenpairs of a full symmetric row-major `matrix` (n, n). The plain reference implementation of `workers/wasm/linearAlgebra/denseSymmetricEigen.ts`. */
export function symmetricEigen(matrix: Float64Array, n: number): SymmetricEigen {
  const a = matrix.slice();
  const taus = new Float64Array(n);
  const work = new Float64Array(n);
  const { diagonal, below } = tridiagonalForm(a, taus, work, {
    product(from, reflector) {
      for (let row = from; row < n; row++) {
        let sum = 0;
        for (let column = from; column < n; column++) sum += a[row * n + column]! * a[reflector * n + column]!;
        work[row] = sum;
      }
    },
    update(from, reflector) {
      const v = a.subarray(reflector * n, (reflector + 1) * n);
      for (let row = from; row < n; row++) {
        for (let column = from; column < n; column++)
          a[row * n + column]! -= v[row]! * work[column]! + work[row]! * v[column]!;
      }
    },
  });
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  tridiagonalEigen(diagonal, below, (top, count, rotations) => {
    for (let k = 0; k < count; k++) rotate(vectors, (top - k) * n, n, [rotations[2 * k]!, rotations[2 * k + 1]!]);
  });
  for (let row = 0; row < n; row++) {
    for (let j = n - 1; j >= 0; j--) {
      let along = 0;
      for (let i = j + 1; i < n; i++) along += vectors[row * n + i]! * a[j * n + i]!;
      for (let i = j + 1; i < n; i++) vectors[row * n + i]! -= taus[j]! * along * a[j * n + i]!;
    }
  }
  return sortEigenpairs(diagonal, vectors, n);
}

function rotate(vectors: Float64Array, low: number, n: number, [c, s]: readonly [number, number]): void {
  for (let at = low; at < low + n; at++) {
    const [l, h] = [vectors[at]!, vectors[at + n]!];
    vectors[at + n] = s * l + c * h;
    vectors[at] = c * l - s * h;
  }
}

/** Ascending, with the signs that `SymmetricEigen` states; `vectors` (values, width). */
export function sortEigenpairs(values: Float64Array, vectors: Float64Array, width: number): SymmetricEigen {
  const order = Array.from(values.keys()).sort((a, b) => values[a]! - values[b]! || a - b);
  const sorted = new Float64Array(vectors.length);
  for (const [to, from] of order.entries()) {
    const vector = vectors.subarray(from * width, (from + 1) * width);
    const sign = eigenvectorSign(vector, 1);
    for (let i = 0; i < width; i++) sorted[to * width + i] = sign * vector[i]!;
  }
  return { values: Float64Array.from(order, (from) => values[from]!), vectors: sorted };
}

/**
 * 1 or -1: what makes the component of largest magnitude positive. Components within 1e-8 of the largest, relatively,
 * count as equal to it, and the first of them decides, so that rounding does not.
 */
export function eigenvectorSign(vector: Float64Array, stride: number): 1 | -1 {
  let largest = 0;
  for (let i = 0; i < vector.length; i += stride) largest = Math.max(largest, Math.abs(vector[i]!));
  for (let i = 0; i < vector.length; i += stride) {
    if (Math.abs(vector[i]!) >= largest * (1 - 1e-8)) return vector[i]! < 0 ? -1 : 1;
  }
  return 1;
}
