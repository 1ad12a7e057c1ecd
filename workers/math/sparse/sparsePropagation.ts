import type { SparseMatrix } from './sparseMatrix.ts';
import { sparseProduct } from './sparseProduct.ts';

/**
 * alpha A x + gamma z for a square A and row-major x and z (rows, width): one layer of message passing. The plain reference implementation of the
 * kernel in `workers/wasm/assembly/sparsePropagation.ts`.
 */
export function sparsePropagation<Values extends Float32Array | Float64Array>(
  matrix: SparseMatrix<Values>,
  { x, z, alpha, gamma, width }: { x: Values; z: Values; alpha: number; gamma: number; width: number },
): Values {
  const y = sparseProduct(matrix, x, width);
  for (let at = 0; at < y.length; at++) y[at] = alpha * y[at]! + gamma * z[at]!;
  return y;
}
