const N = 4;
/** A pivot below this share of its column's square is rounding: the column depends on those before it. */
const DEPENDENT = 1e-13;

/** R, upper triangular, of a Gram matrix R' R (4, 4); `deficient`: columns that depend on others or vanish, which count as 0. */
export function choleskyOfFour(gram: Float64Array): { factor: Float64Array; deficient: number[] } {
  const factor = new Float64Array(N * N);
  const deficient: number[] = [];
  let largest = 0;
  for (let i = 0; i < N; i++) largest = Math.max(largest, gram[i * N + i]!);
  for (let column = 0; column < N; column++) {
    let pivot = gram[column * N + column]!;
    for (let row = 0; row < column; row++) {
      let sum = gram[row * N + column]!;
      for (let k = 0; k < row; k++) sum -= factor[k * N + row]! * factor[k * N + column]!;
      const diagonal = factor[row * N + row]!;
      factor[row * N + column] = deficient.includes(row) ? 0 : sum / diagonal;
      pivot -= factor[row * N + column]! ** 2;
    }
    if (!(pivot > DEPENDENT * gram[column * N + column]!) || !(pivot > 1e-26 * largest) || pivot < 1e-24) {
      deficient.push(column);
      factor[column * N + column] = 1;
    } else {
      factor[column * N + column] = Math.sqrt(pivot);
    }
  }
  return { factor, deficient };
}

/** R⁻¹; its deficient columns are 0. */
export function inverseOfFour(factor: Float64Array, deficient: readonly number[]): Float64Array {
  const inverse = new Float64Array(N * N);
  for (let column = 0; column < N; column++) {
    if (deficient.includes(column)) continue;
    for (let row = column; row >= 0; row--) {
      let sum = row === column ? 1 : 0;
      for (let k = row + 1; k <= column; k++) sum -= factor[row * N + k]! * inverse[k * N + column]!;
      inverse[row * N + column] = deficient.includes(row) ? 0 : sum / factor[row * N + row]!;
    }
  }
  return inverse;
}

/** a b of two (4, 4) matrices. */
export function productOfFour(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from({ length: N * N }, (_, at) => {
    const [row, column] = [at >> 2, at & 3];
    let sum = 0;
    for (let k = 0; k < N; k++) sum += a[row * N + k]! * b[k * N + column]!;
    return sum;
  });
}
