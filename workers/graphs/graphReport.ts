import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { sparseRowSums } from '../math/sparse/symmetricNormalisation.ts';

/** What a graph is like. Plain JSON. */
export interface GraphReport {
  nodes: number;
  /** Undirected, without loops counted twice. */
  edges: number;
  /** Connected parts; each isolated node is one. */
  components: number;
  largestComponent: number;
  /** Nodes without an edge. */
  isolated: number;
  neighbours: Range;
  weightedDegree: Range;
}

interface Range {
  least: number;
  mean: number;
  greatest: number;
}

/** Degrees, components and isolated nodes of a symmetric graph. */
export function graphReport(graph: SparseMatrix): GraphReport {
  const { rowCount, offsets, columns } = graph;
  const neighbours = Float64Array.from({ length: rowCount }, (_, row) => offsets[row + 1]! - offsets[row]!);
  const sizes = componentSizes(graph);
  let loops = 0;
  for (let row = 0; row < rowCount; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) loops += columns[at] === row ? 1 : 0;
  }
  return {
    nodes: rowCount,
    edges: (columns.length + loops) / 2,
    components: sizes.length,
    largestComponent: sizes.reduce((most, size) => Math.max(most, size), 0),
    isolated: neighbours.reduce((count, number) => count + (number === 0 ? 1 : 0), 0),
    neighbours: rangeOf(neighbours),
    weightedDegree: rangeOf(sparseRowSums(graph)),
  };
}

/** (components) How many nodes each has, in the order of their first nodes. */
export function componentSizes({ rowCount, offsets, columns }: SparseMatrix): number[] {
  const seen = new Uint8Array(rowCount);
  const waiting = new Uint32Array(rowCount);
  const sizes: number[] = [];
  for (let root = 0; root < rowCount; root++) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    waiting[0] = root;
    let found = 1;
    for (let next = 0; next < found; next++) {
      const node = waiting[next]!;
      for (let at = offsets[node]!; at < offsets[node + 1]!; at++) {
        const other = columns[at]!;
        if (seen[other] === 1) continue;
        seen[other] = 1;
        waiting[found++] = other;
      }
    }
    sizes.push(found);
  }
  return sizes;
}

function rangeOf(numbers: Float64Array): Range {
  let [least, greatest, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const number of numbers) {
    least = Math.min(least, number);
    greatest = Math.max(greatest, number);
    sum += number;
  }
  return { least, mean: sum / numbers.length, greatest };
}
