import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { transposeSparse } from '../math/sparse/transposeSparse.ts';
import { interactionMatrix, type SequencePart } from './featureSets.ts';

/**
 * The bipartite graph of users and items (LightGCN's; SEvo Section 5.2), (users + items)²: 1 between a user and each item met,
 * users first.
 */
export function interactionGraph(part: SequencePart): SparseMatrix {
  const met = interactionMatrix(part);
  const byItem = transposeSparse(met);
  const { rowCount: users, columnCount: items } = met;
  const half = met.columns.length;
  const offsets = new Uint32Array(users + items + 1);
  offsets.set(met.offsets);
  for (let item = 0; item <= items; item++) offsets[users + item] = half + byItem.offsets[item]!;
  const columns = new Uint32Array(2 * half);
  for (let at = 0; at < half; at++) columns[at] = users + met.columns[at]!;
  columns.set(byItem.columns, half);
  return {
    rowCount: users + items,
    columnCount: users + items,
    offsets,
    columns,
    values: new Float64Array(2 * half).fill(1),
  };
}
