import { badInput } from '#src/base/contracts/errors.ts';
import type { SparseMatrix } from './sparseMatrix.ts';
import { transposeSparse } from './transposeSparse.ts';

export interface Triplets {
  readonly rowCount: number;
  readonly columnCount: number;
  /** (entries) */
  readonly rows: ArrayLike<number>;
  /** (entries) */
  readonly columns: ArrayLike<number>;
  /** (entries); 1 each where it is left out. */
  readonly values?: ArrayLike<number>;
}

/** The matrix of entries in any order; those of one place are added in the order given. Throws BAD_INPUT for places outside. */
export function sparseFromTriplets({ rowCount, columnCount, rows, columns, values }: Triplets): SparseMatrix {
  const count = rows.length;
  if (columns.length !== count || (values !== undefined && values.length !== count)) {
    throw badInput(
      `triplets: ${count} rows, ${columns.length} columns, ${values?.length ?? count} values; expected as many`,
    );
  }
  const offsets = new Uint32Array(columnCount + 1);
  for (let at = 0; at < count; at++) {
    const [row, column] = [rows[at]!, columns[at]!];
    const whole = Number.isInteger(row) && Number.isInteger(column);
    if (!whole || row < 0 || row >= rowCount || column < 0 || column >= columnCount) {
      throw badInput(
        `triplets: entry ${at} is at (${row}, ${column}); expected one within ${rowCount} × ${columnCount}`,
      );
    }
    offsets[column + 1]! += 1;
  }
  for (let column = 0; column < columnCount; column++) offsets[column + 1]! += offsets[column]!;
  // Sorted by column and then transposed, the entries of each row come out in ascending order of columns.
  const cursors = offsets.slice();
  const rowOf = new Uint32Array(count);
  const entryOf = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const place = cursors[columns[at]!]!++;
    rowOf[place] = rows[at]!;
    entryOf[place] = values?.[at] ?? 1;
  }
  const byColumn = { rowCount: columnCount, columnCount: rowCount, offsets, columns: rowOf, values: entryOf };
  return addRepeated(transposeSparse(byColumn));
}

/** Adds neighbouring entries of one place. */
function addRepeated({ rowCount, columnCount, offsets, columns, values }: SparseMatrix): SparseMatrix {
  const kept = new Uint32Array(rowCount + 1);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    const first = count;
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      if (count > first && columns[count - 1] === columns[at]) values[count - 1]! += values[at]!;
      else {
        columns[count] = columns[at]!;
        values[count++] = values[at]!;
      }
    }
    kept[row + 1] = count;
  }
  return { rowCount, columnCount, offsets: kept, columns: columns.slice(0, count), values: values.slice(0, count) };
}
