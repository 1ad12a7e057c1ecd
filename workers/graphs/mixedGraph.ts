import { badInput } from '#src/base/contracts/errors.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';

export interface WeightedGraph {
  graph: SparseMatrix;
  /** From 0. */
  weight: number;
}

/** Σ weight × graph over graphs of one size. Throws BAD_INPUT for none, for other sizes and for negative weights. */
export function mixedGraph(parts: readonly WeightedGraph[]): SparseMatrix {
  const [first, ...others] = parts;
  if (first === undefined) throw badInput('a mixture of no graphs; expected at least one', 'graph');
  return others.reduce((sum, part) => added(sum, scaled(part)), scaled(first));
}

/** The graph with nodes added that have no neighbours: `before` of them in front, and behind as many as make `nodes`. */
export function withIsolatedNodes(
  graph: SparseMatrix,
  { before, nodes }: { before: number; nodes: number },
): SparseMatrix {
  const { rowCount, columns } = graph;
  if (before + rowCount > nodes) throw badInput(`${before} + ${rowCount} nodes; expected at most ${nodes}`, 'graph');
  const offsets = new Uint32Array(nodes + 1).fill(columns.length);
  offsets.fill(0, 0, before);
  offsets.set(graph.offsets, before);
  const moved = before === 0 ? columns : columns.map((column) => column + before);
  return { rowCount: nodes, columnCount: nodes, offsets, columns: moved, values: graph.values };
}

function scaled({ graph, weight }: WeightedGraph): SparseMatrix {
  if (!(weight >= 0 && Number.isFinite(weight)))
    throw badInput(`a graph of weight ${weight}; expected a number from 0`, 'graph');
  return weight === 1 ? graph : { ...graph, values: graph.values.map((value) => value * weight) };
}

function added(a: SparseMatrix, b: SparseMatrix): SparseMatrix {
  const { rowCount, columnCount } = a;
  if (b.rowCount !== rowCount || b.columnCount !== columnCount) {
    throw badInput(`graphs of ${rowCount} and ${b.rowCount} nodes in a mixture; expected all of one size`, 'graph');
  }
  const offsets = new Uint32Array(rowCount + 1);
  const columns = new Uint32Array(a.columns.length + b.columns.length);
  const values = new Float64Array(columns.length);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    let [left, right] = [a.offsets[row]!, b.offsets[row]!];
    const [leftEnd, rightEnd] = [a.offsets[row + 1]!, b.offsets[row + 1]!];
    while (left < leftEnd || right < rightEnd) {
      const fromLeft = left < leftEnd ? a.columns[left]! : columnCount;
      const fromRight = right < rightEnd ? b.columns[right]! : columnCount;
      columns[count] = Math.min(fromLeft, fromRight);
      if (fromLeft <= fromRight) values[count]! += a.values[left++]!;
      if (fromRight <= fromLeft) values[count]! += b.values[right++]!;
      count += 1;
    }
    offsets[row + 1] = count;
  }
  return { rowCount, columnCount, offsets, columns: columns.slice(0, count), values: values.slice(0, count) };
}
