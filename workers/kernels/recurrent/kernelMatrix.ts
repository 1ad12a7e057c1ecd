/** Kernel values of `rows` examples against `columns` examples, row-major: `values[row * columns + column]`. */
export interface KernelMatrix {
  rows: number;
  columns: number;
  /** (rows, columns) */
  values: Float64Array;
}
