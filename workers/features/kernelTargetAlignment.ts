import { badInput } from '#src/base/contracts/errors.ts';

/** K(h, h') of rows i and j. */
export type PairKernel = (i: number, j: number) => number;

/** ⟨x_i, x_j⟩ of the rows of `values` (rows, width). */
export function linearKernel(values: ArrayLike<number>, width: number): PairKernel {
  return (i, j) => {
    let sum = 0;
    for (let column = 0; column < width; column++) sum += values[i * width + column]! * values[j * width + column]!;
    return sum;
  };
}

/** exp(-σ²|h_i - h_j|²/2) of the rows of `values` (rows, width): the kernel of Q = N(0, σ²I). */
export function gaussianKernel(values: ArrayLike<number>, width: number, sigma: number): PairKernel {
  return (i, j) => {
    let square = 0;
    for (let column = 0; column < width; column++) {
      square += (values[i * width + column]! - values[j * width + column]!) ** 2;
    }
    return Math.exp((-(sigma ** 2) * square) / 2);
  };
}

/**
 * A_n = 1/(n(n-1)) Σ_{i≠j} 1[y_i = y_j] K(h_i, h_j): the alignment of a kernel with the labels (Featurizing Pretrained
 * Representations, Section 5; Proposition 4 prints i for j). With K = ⟨φ, φ⟩ it is A_n(Q). Throws BAD_INPUT for fewer than two.
 */
export function kernelTargetAlignment(labels: ArrayLike<number>, kernel: PairKernel): number {
  const n = labels.length;
  if (n < 2) throw badInput(`${n} labels; expected at least 2, so that there is a pair`, 'labels');
  let sum = 0;
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < i; j++) if (labels[i] === labels[j]) sum += kernel(i, j);
  }
  return (2 * sum) / (n * (n - 1));
}

/** [h⃗(x_i)]_j = exp⟨h(x_i), h(x_j)⟩ (rows, rows): the representation of weights of Section 4.3. */
export function weightsRepresentation(h: ArrayLike<number>, width: number): Float64Array {
  const rows = h.length / width;
  const product = linearKernel(h, width);
  return Float64Array.from({ length: rows * rows }, (_, at) => Math.exp(product(Math.floor(at / rows), at % rows)));
}
