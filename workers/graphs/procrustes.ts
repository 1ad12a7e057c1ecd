import { symmetricEigen } from '../math/dense/symmetricEigen.ts';

/**
 * (d, d) The orthogonal R, row-major, that makes ‖B R - A‖ least for A and B (n, d), row-major: U V' of B'A = U Σ V'
 * (Schönemann, 1966), from the eigenvectors of A'B B'A. Directions that A and B do not share, with σ below 1e-9 of the
 * greatest, are left at 0.
 */
export function procrustesRotation(a: Float64Array, b: Float64Array, dimension: number): Float64Array {
  const d = dimension;
  const product = new Float64Array(d * d); // B'A
  for (let row = 0; row < a.length; row += d) {
    for (let i = 0; i < d; i++) {
      const left = b[row + i]!;
      for (let j = 0; j < d; j++) product[i * d + j]! += left * a[row + j]!;
    }
  }
  const gram = new Float64Array(d * d); // (B'A)'(B'A) = V Σ² V'
  for (let k = 0; k < d; k++) {
    for (let i = 0; i < d; i++) {
      const left = product[k * d + i]!;
      for (let j = 0; j < d; j++) gram[i * d + j]! += left * product[k * d + j]!;
    }
  }
  const { values, vectors } = symmetricEigen(gram, d);
  const least = 1e-18 * values[d - 1]!;
  const rotation = new Float64Array(d * d);
  const left = new Float64Array(d);
  for (let k = 0; k < d; k++) {
    if (!(values[k]! > least)) continue;
    const right = vectors.subarray(k * d, (k + 1) * d);
    for (let i = 0; i < d; i++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += product[i * d + j]! * right[j]!;
      left[i] = sum / Math.sqrt(values[k]!);
    }
    for (let i = 0; i < d; i++) for (let j = 0; j < d; j++) rotation[i * d + j]! += left[i]! * right[j]!;
  }
  return rotation;
}
