import { notPositiveDefinite, pivotFloor } from '#workers/math/dense/cholesky.ts';
import { openProductLibrary } from '../calls/productLibrary.ts';
import type { NumericThreads } from '../threads/numericThreads.ts';

/** Rows swept at once. */
const BLOCK_ROWS = 96;

/**
 * The inverse (n, n), row-major, of a symmetric positive definite row-major `matrix` (n, n), of which only the lower triangle
 * is read: the sweep operator (Goodnight, "A tutorial on the SWEEP operator", 1979), a block of rows at a time. Sweeping
 * block k turns A_kk into -P for P = A_kk⁻¹, A_ik into A_ik P, and A_ij into A_ij - A_ik P A_kj; when all are swept, -A⁻¹ is
 * left. About n³ / 2 multiplications, as many as a Cholesky factor, its inverse and their product together, but all of one
 * form; its pivots are squares of the factor's diagonal. On all lanes, with the same bits for any number of them. Where OpenBLAS
 * is in use, by LAPACK's Cholesky factor, whose bits may depend on the number of lanes. `pulse` is told the part that is done and may
 * throw. Throws BAD_INPUT for matrices that are not positive definite.
 */
export function symmetricInverse(
  threads: NumericThreads,
  matrix: Float64Array,
  n: number,
  pulse?: (fraction: number) => void,
): Float64Array {
  const { kernels } = threads;
  if (kernels.library !== null) {
    pulse?.(0);
    const inverse = inverseByLibrary(kernels.library, matrix, n, kernels.lanes);
    if (inverse !== null) return inverse; // else the sweeps say which pivot is too small
  }
  const scope = threads.scope();
  try {
    const size = 4 * Math.ceil(n / 4);
    const { address: tiles, values } = scope.placeDoubles(2 * size * (size / 4 + 1));
    placeTriangle(matrix, n, values);
    const failed = scope.reserve(4);
    const failure = scope.words(failed, 1).fill(-1);
    const floor = pivotFloor(matrix, n);
    const inverse = scope.reserve(8 * BLOCK_ROWS * BLOCK_ROWS);
    const [before, after] = [scope.reserve(8 * size * BLOCK_ROWS), scope.reserve(8 * size * BLOCK_ROWS)];
    for (let from = 0; from < size; from += BLOCK_ROWS) {
      pulse?.(from / size);
      const to = Math.min(from + BLOCK_ROWS, size);
      kernels.runAlone('sweepPivots', tiles, from, to, floor, inverse, failed);
      const at = failure[0]!;
      if (at >= 0) throw notPositiveDefinite(matrix, n, at, values[tileOf(at >> 2, at >> 2) + 5 * (at & 3)]!);
      kernels.run('sweepColumns', { tiles, size, from, to, inverse, before, after });
      kernels.run('sweepUpdate', tiles, size, from, to, before, after);
    }
    return takeInverse(values, n);
  } finally {
    scope.release();
  }
}

/** Null where a pivot is not above the floor. */
function inverseByLibrary(file: string, matrix: Float64Array, n: number, threads: number): Float64Array | null {
  const library = openProductLibrary(file);
  const inverse = matrix.slice(0, n * n);
  if (!library.factor(inverse, n, threads)) return null;
  const floor = pivotFloor(matrix, n);
  for (let i = 0; i < n; i++) if (inverse[i * n + i]! ** 2 <= floor) return null;
  if (!library.invertFactor(inverse, n, threads)) return null;
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < row; column++) inverse[column * n + row] = inverse[row * n + column]!;
  }
  return inverse;
}

/** Where the tile of a group of rows and one of columns begins: tiles of the lower triangle, four rows behind the others. */
function tileOf(group: number, column: number): number {
  return 16 * ((group * (group + 1)) / 2 + column);
}

/** The lower triangle as tiles. Rows that fill up the last one have a one on the diagonal, and change nothing. */
function placeTriangle(matrix: Float64Array, n: number, tiles: Float64Array): void {
  const groups = Math.ceil(n / 4);
  for (let row = 0; row < 4 * groups; row++) {
    for (let column = 0; column < 4 * ((row >> 2) + 1); column++) {
      const inside = row < n && column <= row;
      const value = inside ? matrix[row * n + column]! : row === column ? 1 : 0;
      tiles[tileOf(row >> 2, column >> 2) + 4 * (row & 3) + (column & 3)] = value;
    }
  }
}

/** (n, n) Both triangles of what is left of the matrix, its sign turned. */
function takeInverse(tiles: Float64Array, n: number): Float64Array {
  const result = new Float64Array(n * n);
  for (let group = 0; 4 * group < n; group++) {
    for (let columnGroup = 0; columnGroup <= group; columnGroup++) {
      const tile = tileOf(group, columnGroup);
      for (let row = 4 * group; row < Math.min(4 * group + 4, n); row++) {
        for (let column = 4 * columnGroup; column < Math.min(4 * columnGroup + 4, row + 1); column++) {
          const value = -tiles[tile + 4 * (row & 3) + (column & 3)]!;
          result[row * n + column] = value;
          result[column * n + row] = value;
        }
      }
    }
  }
  return result;
}
