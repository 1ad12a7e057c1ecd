import { badInput } from '#src/base/contracts/errors.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { scaleSymmetric, sparseRowSums } from '../math/sparse/symmetricNormalisation.ts';

/**
 * `symmetric`: L_sym and L_regsym (LEPORID Eqs. 3 and 8). `unnormalised`: L and L_reg (Eqs. 1 and 7).
 */
export type LaplacianForm = 'symmetric' | 'unnormalised';

function checkAlpha(alpha: number): void {
  if (!(alpha >= 0 && alpha <= 1)) throw badInput(`α is ${alpha}; expected 0 to 1`, 'alpha');
}

/** (n) The diagonal of D_reg = (1 - α) D + α d_max I, with weighted degrees D. Throws BAD_INPUT unless 0 ≤ α ≤ 1. */
export function regularisedDegrees(graph: SparseMatrix, alpha: number): Float64Array {
  checkAlpha(alpha);
  const degrees = sparseRowSums(graph);
  let greatest = 0;
  for (const degree of degrees) greatest = Math.max(greatest, degree);
  return degrees.map((degree) => (1 - alpha) * degree + alpha * greatest);
}

/**
 * I - L_regsym = D_reg^-1/2 W D_reg^-1/2 of a symmetric graph W (LEPORID Eq. 8); with α = 0, I - L_sym (Eq. 3). Where D_reg
 * is 0, as at isolated nodes for α = 0, its row is 0, so that L has 1 there.
 */
export function normalisedAdjacency(graph: SparseMatrix, alpha: number): SparseMatrix {
  const scale = regularisedDegrees(graph, alpha).map((degree) => (degree === 0 ? 0 : 1 / Math.sqrt(degree)));
  return scaleSymmetric(graph, scale);
}

/** L_reg = (1 - α) D - W + α d_max I of a symmetric graph W without loops (LEPORID Eq. 7); with α = 0, L = D - W (Eq. 1). */
export function unnormalisedLaplacian(graph: SparseMatrix, alpha: number): SparseMatrix {
  const { rowCount, offsets, columns, values } = graph;
  const diagonal = regularisedDegrees(graph, alpha);
  const outOffsets = offsets.map((offset, row) => offset + row);
  const outColumns = new Uint32Array(columns.length + rowCount);
  const outValues = new Float64Array(columns.length + rowCount);
  let place = 0;
  for (let row = 0; row < rowCount; row++) {
    let isPlaced = false;
    const placeDiagonal = (): void => {
      outColumns[place] = row;
      outValues[place++] = diagonal[row]!;
      isPlaced = true;
    };
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      if (columns[at] === row) throw badInput(`node ${row} has an edge to itself; expected a graph without`, 'graph');
      if (!isPlaced && columns[at]! > row) placeDiagonal();
      outColumns[place] = columns[at]!;
      outValues[place++] = -values[at]!;
    }
    if (!isPlaced) placeDiagonal();
  }
  return { rowCount, columnCount: rowCount, offsets: outOffsets, columns: outColumns, values: outValues };
}
