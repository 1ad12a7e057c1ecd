import type { SparseMatrix } from './sparseMatrix.ts';

/**
 * A x for dense row-major `x` (columns of A, width), (rows of A, width): each row is summed in the order of its entries.
 * The plain reference implementation of `workers/wasm/linearAlgebra/sparseOperand.ts`.
 */
export function sparseProduct<Values extends Float32Array | Float64Array>(
  { rowCount, columnCount, offsets, columns, values }: SparseMatrix<Values>,
  x: Values,
  width: number,
): Values {
  if (x.length !== columnCount * width) {
    throw new Error(`internal: ${x.length} values for a dense factor of (${columnCount}, ${width})`);
  }
  const y = (
    values instanceof Float32Array ? new Float32Array(rowCount * width) : new Float64Array(rowCount * width)
  ) as Values;
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const [value, from, to] = [values[at]!, columns[at]! * width, row * width];
      for (let column = 0; column < width; column++) y[to + column]! += value * x[from + column]!;
    }
  }
  return y;
}
