import { type BackendCheck, normalNumbers, normalTensor, valueAndGradients } from './backendCheck.ts';
import { tf } from '../tf.ts';

interface Sizes {
  batch: number;
  rows: number;
  inner: number;
  columns: number;
}

/** Read access to a batch of matrices that lie row by row, transposed where asked. */
function reader(
  numbers: ArrayLike<number>,
  { rows, columns, transposed }: { rows: number; columns: number; transposed: boolean },
) {
  return (batch: number, row: number, column: number): number => {
    const start = batch * rows * columns;
    return transposed ? numbers[start + column * rows + row]! : numbers[start + row * columns + column]!;
  };
}

/** The slow reference implementation: C = A B for each of the batch, in float64. */
function product(
  left: ReturnType<typeof reader>,
  right: ReturnType<typeof reader>,
  { batch, rows, inner, columns }: Sizes,
): Float64Array {
  const result = new Float64Array(batch * rows * columns);
  for (let at = 0; at < batch; at++) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        let sum = 0;
        for (let k = 0; k < inner; k++) sum += left(at, row, k) * right(at, k, column);
        result[(at * rows + row) * columns + column] = sum;
      }
    }
  }
  return result;
}

function matrixProduct(transposeA: boolean, transposeB: boolean, sizes: Sizes): BackendCheck {
  const { batch, rows, inner, columns } = sizes;
  const shapeOf = (height: number, width: number, transposed: boolean) =>
    transposed ? [batch, width, height] : [batch, height, width];
  const words = `${transposeA ? 'Aᵀ' : 'A'} ${transposeB ? 'Bᵀ' : 'B'}`;
  return {
    name: `matrix product ${words}, ${batch} × (${rows} × ${inner} × ${columns})`,
    tolerance: 2e-6,
    compute: () => {
      const a = normalTensor<tf.Tensor3D>(shapeOf(rows, inner, transposeA), 1);
      const b = normalTensor<tf.Tensor3D>(shapeOf(inner, columns, transposeB), 2);
      return valueAndGradients((x: tf.Tensor3D, y: tf.Tensor3D) => tf.matMul(x, y, transposeA, transposeB), [a, b]);
    },
    expected: () => {
      const a = normalNumbers(batch * rows * inner, 1);
      const b = normalNumbers(batch * inner * columns, 2);
      const g = normalNumbers(batch * rows * columns, 99);
      const left = reader(a, { rows, columns: inner, transposed: transposeA });
      const right = reader(b, { rows: inner, columns, transposed: transposeB });
      const upstream = reader(g, { rows, columns, transposed: false });
      const flip = (read: ReturnType<typeof reader>) => (at: number, row: number, column: number) =>
        read(at, column, row);
      // C = A B: dA = G Bᵀ and dB = Aᵀ G, each laid out as its operand is
      const slopeA = transposeA
        ? product(right, flip(upstream), { batch, rows: inner, inner: columns, columns: rows })
        : product(upstream, flip(right), { batch, rows, inner: columns, columns: inner });
      const slopeB = transposeB
        ? product(flip(upstream), left, { batch, rows: columns, inner: rows, columns: inner })
        : product(flip(left), upstream, { batch, rows: inner, inner: rows, columns });
      return [product(left, right, sizes), slopeA, slopeB];
    },
  };
}

const FLAGS = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const;

/** Matrix products with their gradients in every transpose combination; odd sizes leave remainders in every blocking. */
export const MATRIX_CHECKS: readonly BackendCheck[] = [
  ...FLAGS.map(([a, b]) => matrixProduct(a, b, { batch: 1, rows: 67, inner: 45, columns: 39 })),
  ...FLAGS.map(([a, b]) => matrixProduct(a, b, { batch: 3, rows: 5, inner: 17, columns: 9 })),
];
