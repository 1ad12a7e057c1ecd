import { meanRow, type NumberTable, type Progress } from './numberTable.ts';

/** Rows between two calls of `progress`. */
const BLOCK = 512;

/** (columns of a, columns of b) aᵀb of two tables with equally many rows, each less its mean row. */
export function centeredProduct(a: NumberTable, b: NumberTable, progress: Progress = () => {}): Float64Array {
  const isSquare = a === b;
  const [meanA, meanB] = [meanRow(a), meanRow(b)];
  const [x, y] = [new Float64Array(a.columns), new Float64Array(b.columns)];
  const product = new Float64Array(a.columns * b.columns);
  for (let row = 0; row < a.rows; row++) {
    if (row % BLOCK === 0) progress(row / a.rows);
    for (let i = 0; i < a.columns; i++) x[i] = a.values[row * a.columns + i]! - meanA[i]!;
    for (let j = 0; j < b.columns; j++) y[j] = b.values[row * b.columns + j]! - meanB[j]!;
    for (let i = 0; i < a.columns; i++) {
      const [factor, at] = [x[i]!, i * b.columns];
      for (let j = isSquare ? i : 0; j < b.columns; j++) product[at + j]! += factor * y[j]!;
    }
  }
  if (isSquare) {
    for (let i = 0; i < a.columns; i++) {
      for (let j = 0; j < i; j++) product[i * a.columns + j] = product[j * a.columns + i]!;
    }
  }
  return product;
}
