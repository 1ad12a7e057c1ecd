import { badInput } from '#src/base/contracts/errors.ts';
import type { SparseMatrix } from './sparseMatrix.ts';

/** (rows) Sum of each row. */
export function sparseRowSums({ rowCount, offsets, values }: SparseMatrix): Float64Array {
  const sums = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    let sum = 0;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) sum += values[at]!;
    sums[row] = sum;
  }
  return sums;
}

/** diag(scale) A diag(scale). */
export function scaleSymmetric(matrix: SparseMatrix, scale: Float64Array): SparseMatrix {
  const { rowCount, offsets, columns } = matrix;
  const values = matrix.values.slice();
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) values[at]! *= scale[row]! * scale[columns[at]!]!;
  }
  return { ...matrix, values };
}

/** D^-1/2 A D^-1/2 with D = diag(A 1). Rows without neighbours stay zero (LEPORID's α = 0). Throws BAD_INPUT for a negative degree. */
export function symmetricNormalisation(matrix: SparseMatrix): SparseMatrix {
  const scale = sparseRowSums(matrix).map((degree, row) => {
    if (!(degree >= 0))
      throw badInput(`matrix: the degree of row ${row} is ${degree}; expected none below 0`, 'matrix');
    return degree === 0 ? 0 : 1 / Math.sqrt(degree);
  });
  return scaleSymmetric(matrix, scale);
}
