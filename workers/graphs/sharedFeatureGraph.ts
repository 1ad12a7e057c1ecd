import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { transposeSparse } from '../math/sparse/transposeSparse.ts';
import type { FeatureSets } from './featureSets.ts';

/**
 * 1 between two nodes that share a feature, such as films of one genre (SEvo Section 4, prior knowledge), 0 otherwise; no node
 * is joined to itself. As dense as the features are common.
 */
export function sharedFeatureGraph(sets: FeatureSets): SparseMatrix {
  const { rowCount, offsets, columns } = sets;
  const holders = transposeSparse({ ...sets, values: new Float64Array(columns.length) });
  const metBy = new Int32Array(rowCount).fill(-1);
  const outOffsets = new Uint32Array(rowCount + 1);
  const parts: Uint32Array[] = [];
  for (let node = 0; node < rowCount; node++) {
    metBy[node] = node;
    const met: number[] = [];
    for (let at = offsets[node]!; at < offsets[node + 1]!; at++) {
      const feature = columns[at]!;
      for (let place = holders.offsets[feature]!; place < holders.offsets[feature + 1]!; place++) {
        const other = holders.columns[place]!;
        if (metBy[other] === node) continue;
        metBy[other] = node;
        met.push(other);
      }
    }
    parts.push(Uint32Array.from(met).sort());
    outOffsets[node + 1] = outOffsets[node]! + met.length;
  }
  const outColumns = new Uint32Array(outOffsets[rowCount]!);
  for (const [node, part] of parts.entries()) outColumns.set(part, outOffsets[node]!);
  const values = new Float64Array(outColumns.length).fill(1);
  return { rowCount, columnCount: rowCount, offsets: outOffsets, columns: outColumns, values };
}
