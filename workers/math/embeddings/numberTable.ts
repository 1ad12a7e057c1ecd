/** Rows of numbers, row-major. */
export interface NumberTable {
  rows: number;
  columns: number;
  /** (rows, columns) */
  values: Float32Array | Float64Array;
}

/** Told the part that is done, from 0 to 1; may throw to stop. */
export type Progress = (done: number) => void;

/** (columns) The mean row. */
export function meanRow({ rows, columns, values }: NumberTable): Float64Array {
  const mean = new Float64Array(columns);
  for (let at = 0; at < rows * columns; at += columns) {
    for (let column = 0; column < columns; column++) mean[column]! += values[at + column]!;
  }
  return mean.map((sum) => sum / rows);
}
