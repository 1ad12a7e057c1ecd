import type { NumericThreads } from '../threads/numericThreads.ts';

/** Columns of a panel: workers/wasm/assembly/listedSums.ts. */
const WIDTH = 16;

/** A binary matrix (m, n): column j has ones in the rows `rows` from `offsets[j]` to before `offsets[j + 1]`. */
export interface BinaryColumns {
  m: number;
  offsets: Uint32Array;
  rows: Uint32Array;
}

/**
 * A' K A (n, n), row-major, for a binary matrix A and a symmetric row-major `inner` K (m, m): some m + n / 2 additions for
 * each one in A. On all lanes, with the same bits for any number of them.
 */
export function binaryProjection(
  threads: NumericThreads,
  { m, offsets, rows }: BinaryColumns,
  inner: Float64Array,
): Float64Array {
  const n = offsets.length - 1;
  const [panels, outerPanels] = [Math.ceil(m / WIDTH), Math.ceil(n / WIDTH)];
  const [height, outerHeight] = [panels * WIDTH, outerPanels * WIDTH];
  const scope = threads.scope();
  try {
    const [starts, ones] = [scope.place(offsets), scope.place(rows)];
    const given = scope.placeDoubles(m * height);
    placePanels(inner, m, given.values);
    const middle = scope.reserve(8 * height * outerHeight); // K A, in panels of its columns
    threads.kernels.run('listedSums', {
      ...{ offsets: starts, indices: ones, rows: n, x: given.address, xRows: m, panels },
      ...{ y: middle, yRows: height, symmetric: 0 },
    });
    const made = scope.placeDoubles(outerHeight * outerHeight);
    threads.kernels.run('listedSums', {
      ...{ offsets: starts, indices: ones, rows: n, x: middle, xRows: height, panels: outerPanels },
      ...{ y: made.address, yRows: outerHeight, symmetric: 1 },
    });
    return bothTriangles(made.values, n);
  } finally {
    scope.release();
  }
}

/** A row-major matrix (m, m) as panels, zero past its columns. */
function placePanels(matrix: Float64Array, m: number, panels: Float64Array): void {
  for (let from = 0, at = 0; from < m; from += WIDTH) {
    for (let row = 0; row < m; row++, at += WIDTH) {
      for (let column = 0; column < WIDTH; column++) {
        panels[at + column] = from + column < m ? matrix[row * m + from + column]! : 0;
      }
    }
  }
}

/** (n, n) Of a symmetric matrix whose panels have what is on and above the diagonal. */
function bothTriangles(panels: Float64Array, n: number): Float64Array {
  const result = new Float64Array(n * n);
  const height = WIDTH * Math.ceil(n / WIDTH);
  for (let from = 0; from < n; from += WIDTH) {
    const end = Math.min(from + WIDTH, n);
    for (let row = 0; row < end; row++) {
      const place = from * height + row * WIDTH - from;
      for (let column = from; column < end; column++) {
        const value = panels[place + column]!;
        result[row * n + column] = value;
        result[column * n + row] = value;
      }
    }
  }
  return result;
}
