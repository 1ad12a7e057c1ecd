/** Kernel values of `rows` examples against `columns` examples, row-major: `values[row * columns + column]`. */
export interface KernelMatrix {
  rows: number;
  columns: number;
  /** (rows, columns) */
  values: Float64Array;
}

/** ‖found − exact‖_F / ‖exact‖_F. */
export function kernelDistance(found: KernelMatrix, exact: KernelMatrix): number {
  let difference = 0;
  let norm = 0;
  for (let i = 0; i < exact.values.length; i++) {
    difference += (found.values[i] - exact.values[i]) ** 2;
    norm += exact.values[i] ** 2;
  }
  return Math.sqrt(difference / norm);
}

const MOST_ITERATIONS = 1000;

/** ‖A‖₂ of a small symmetric matrix, its greatest |eigenvalue|, by power iteration on A², to about six digits. */
export function symmetricNorm({ rows, values }: KernelMatrix): number {
  const times = (vector: Float64Array): Float64Array =>
    vector.map((_, row) => {
      let sum = 0;
      for (let column = 0; column < rows; column++) sum += values[row * rows + column] * vector[column];
      return sum;
    });
  const lengthOf = (vector: Float64Array) => Math.hypot(...vector);
  // no eigenvector of a matrix from data is orthogonal to this but by accident
  let vector: Float64Array = Float64Array.from({ length: rows }, (_, i) => 1 + 0.37 * Math.sin(i + 1));
  let norm = 0;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const start = lengthOf(vector);
    if (start === 0) return 0;
    vector = vector.map((value) => value / start);
    const once = times(vector);
    const found = lengthOf(once);
    vector = times(once);
    if (Math.abs(found - norm) <= 1e-7 * found) return found;
    norm = found;
  }
  return norm;
}
