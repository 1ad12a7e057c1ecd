import type { SparseMatrix } from './sparseMatrix.ts';

/** The transpose; entries of equal places keep their order. */
export function transposeSparse(matrix: SparseMatrix): SparseMatrix {
  const { rowCount, columnCount, offsets, columns, values } = matrix;
  const transposed = new Uint32Array(columnCount + 1);
  for (const column of columns) transposed[column + 1]! += 1;
  for (let column = 0; column < columnCount; column++) transposed[column + 1]! += transposed[column]!;
  const cursors = transposed.slice();
  const rowOf = new Uint32Array(columns.length);
  const entryOf = new Float64Array(columns.length);
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const place = cursors[columns[at]!]!++;
      rowOf[place] = row;
      entryOf[place] = values[at]!;
    }
  }
  return { rowCount: columnCount, columnCount: rowCount, offsets: transposed, columns: rowOf, values: entryOf };
}
