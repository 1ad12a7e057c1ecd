import type { SparseMatrix } from '../math/sparseMatrix.ts';
import { transposeSparse } from '../math/transposeSparse.ts';

/** Sets of features, one a node: row r of a matrix whose stored entries are the members, whatever their values. */
export type FeatureSets = Pick<SparseMatrix, 'rowCount' | 'columnCount' | 'offsets' | 'columns'>;

/**
 * The K-nearest-neighbour graph by Jaccard similarity |A ∩ B| / |A ∪ B| (LEPORID Eq. 9), exact: each node's neighbours are
 * the `neighbours` most similar others, ties to the lower index, none with similarity 0; an edge stands where either end
 * has the other (union symmetrisation), its weight the similarity. Co-occurrences are counted a node at a time: no n × n matrix.
 */
export function nearestNeighbourGraph(sets: FeatureSets, neighbours: number): SparseMatrix {
  const directed = nearestByJaccard(sets, neighbours);
  return union(directed, transposeSparse(directed));
}

function nearestByJaccard(sets: FeatureSets, neighbours: number): SparseMatrix {
  const { rowCount, offsets, columns } = sets;
  const holders = transposeSparse({ ...sets, values: new Float64Array(columns.length) });
  const counts = new Uint32Array(rowCount);
  const met = new Uint32Array(rowCount);
  const similarities = new Float64Array(rowCount);
  const kept = new Uint32Array(rowCount + 1);
  let [outColumns, outValues] = [new Uint32Array(1024), new Float64Array(1024)];
  for (let node = 0; node < rowCount; node++) {
    const size = offsets[node + 1]! - offsets[node]!;
    let count = 0;
    for (let at = offsets[node]!; at < offsets[node + 1]!; at++) {
      const feature = columns[at]!;
      for (let place = holders.offsets[feature]!; place < holders.offsets[feature + 1]!; place++) {
        const other = holders.columns[place]!;
        if (other !== node && counts[other]!++ === 0) met[count++] = other;
      }
    }
    const found = met.subarray(0, count);
    for (const other of found) {
      const common = counts[other]!;
      similarities[other] = common / (size + offsets[other + 1]! - offsets[other]! - common);
      counts[other] = 0;
    }
    const best = found
      .sort((a, b) => similarities[b]! - similarities[a]! || a - b)
      .subarray(0, neighbours)
      .sort();
    const start = kept[node]!;
    if (start + best.length > outColumns.length) {
      outColumns = grown(outColumns, new Uint32Array(2 * (start + best.length)));
      outValues = grown(outValues, new Float64Array(2 * (start + best.length)));
    }
    for (const [at, other] of best.entries()) {
      outColumns[start + at] = other;
      outValues[start + at] = similarities[other]!;
    }
    kept[node + 1] = start + best.length;
  }
  const entries = kept[rowCount]!;
  const [directedColumns, values] = [outColumns.slice(0, entries), outValues.slice(0, entries)];
  return { rowCount, columnCount: rowCount, offsets: kept, columns: directedColumns, values };
}

function grown<T extends Uint32Array | Float64Array>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}

/** Entries of either; those of both are equal. */
function union(a: SparseMatrix, b: SparseMatrix): SparseMatrix {
  const { rowCount, columnCount } = a;
  const offsets = new Uint32Array(rowCount + 1);
  const columns = new Uint32Array(a.columns.length + b.columns.length);
  const values = new Float64Array(columns.length);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    let [left, right] = [a.offsets[row]!, b.offsets[row]!];
    const [leftEnd, rightEnd] = [a.offsets[row + 1]!, b.offsets[row + 1]!];
    while (left < leftEnd || right < rightEnd) {
      const fromLeft = left < leftEnd ? a.columns[left]! : Number.POSITIVE_INFINITY;
      const fromRight = right < rightEnd ? b.columns[right]! : Number.POSITIVE_INFINITY;
      columns[count] = Math.min(fromLeft, fromRight);
      values[count++] = fromLeft <= fromRight ? a.values[left]! : b.values[right]!;
      if (fromLeft <= fromRight) left += 1;
      if (fromRight <= fromLeft) right += 1;
    }
    offsets[row + 1] = count;
  }
  return { rowCount, columnCount, offsets, columns: columns.slice(0, count), values: values.slice(0, count) };
}
