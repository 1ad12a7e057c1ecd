import { badInput } from '#src/base/contracts/errors.ts';

/** Compressed sparse rows: row r has the entries `offsets[r]` to before `offsets[r + 1]`, columns ascending, none twice. */
export interface SparseMatrix<Values extends Float32Array | Float64Array = Float64Array> {
  readonly rowCount: number;
  readonly columnCount: number;
  /** (rowCount + 1) */
  readonly offsets: Uint32Array;
  /** (entries) Column of each entry. */
  readonly columns: Uint32Array;
  /** (entries) */
  readonly values: Values;
}

/** Throws BAD_INPUT, at `path`, for a matrix that is not as `SparseMatrix` says or has values that are not finite. */
export function checkSparseMatrix(matrix: SparseMatrix<Float32Array | Float64Array>, path = 'matrix'): void {
  const { rowCount, columnCount, offsets, columns, values } = matrix;
  if (offsets.length !== rowCount + 1 || offsets[0] !== 0 || offsets[rowCount] !== columns.length) {
    throw badInput(
      `${path}: ${offsets.length} offsets from ${offsets[0]} to ${offsets[rowCount]}; expected ${rowCount + 1} from 0 to ${columns.length}`,
      path,
    );
  }
  if (values.length !== columns.length) {
    throw badInput(`${path}: ${values.length} values for ${columns.length} columns; expected as many`, path);
  }
  for (let row = 0; row < rowCount; row++) {
    let before = -1;
    if (offsets[row + 1]! < offsets[row]!) throw badInput(`${path}: the offsets fall after row ${row}`, path);
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const column = columns[at]!;
      if (column <= before || column >= columnCount) {
        throw badInput(
          `${path}: column ${column} after ${before} in row ${row}; expected ascending columns below ${columnCount}`,
          path,
        );
      }
      before = column;
      if (!Number.isFinite(values[at]!)) {
        throw badInput(
          `${path}: the value in row ${row}, column ${column} is ${values[at]}; expected a finite one`,
          path,
        );
      }
    }
  }
}

/** Throws BAD_INPUT unless the matrix is square and equal to its transpose within `tolerance` times its largest entry. */
export function checkSymmetric(matrix: SparseMatrix, tolerance = 1e-12, path = 'matrix'): void {
  const { rowCount, columnCount, offsets, columns, values } = matrix;
  if (rowCount !== columnCount) throw badInput(`${path}: ${rowCount} × ${columnCount}; expected a square one`, path);
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  // Rows in ascending order meet the entries of each column in ascending order: one cursor a row finds every mirror.
  const cursors = offsets.slice(0, rowCount);
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const column = columns[at]!;
      const mirror = cursors[column]!++;
      const present = mirror < offsets[column + 1]! && columns[mirror] === row;
      if (!present || !(Math.abs(values[mirror]! - values[at]!) <= tolerance * largest)) {
        const other = present ? String(values[mirror]) : 'no entry';
        throw badInput(
          `${path}: entry (${row}, ${column}) is ${values[at]}, entry (${column}, ${row}) is ${other}; expected a symmetric matrix`,
          path,
        );
      }
    }
  }
}
