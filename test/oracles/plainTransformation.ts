import { badInput } from '#src/base/contracts/errors.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { sparsePropagation } from '#workers/math/sparse/sparsePropagation.ts';
import {
  checkTransformation,
  exactSteps,
  recursionOf,
  type Transformation,
} from '#workers/training/smoothing/transformation.ts';

const EXACT_TOLERANCE = 1e-15;

/**
 * A variation x (nodes, width), row-major, transformed over a normalised graph (nodes, nodes), in double precision: the reference implementation
 * of `smoothVariation`. Throws BAD_INPUT where x does not have a row a node.
 */
export function plainTransformation(
  graph: SparseMatrix,
  x: Float64Array,
  transformation: Transformation,
): Float64Array {
  checkTransformation(transformation);
  const width = x.length / graph.rowCount;
  if (!Number.isInteger(width)) {
    throw badInput(`${x.length} values for a graph of ${graph.rowCount} nodes; expected a multiple`, 'graph');
  }
  if (transformation.form === 'exact') return exact(graph, x, { width, beta: transformation.beta });
  const { start, own, beta, layers } = recursionOf(transformation);
  let y: Float64Array = x.map((value) => start * value);
  for (let layer = 0; layer < layers; layer++) {
    y = sparsePropagation(graph, { x: y, z: x, alpha: beta, gamma: own, width });
  }
  return y;
}

/** Chebyshev's semi-iteration for y = βÃ y + (1 - β) x (Golub and Varga 1961). */
function exact(graph: SparseMatrix, x: Float64Array, { width, beta }: { width: number; beta: number }): Float64Array {
  const steps = exactSteps(beta, EXACT_TOLERANCE);
  let before: Float64Array = x.slice();
  let y: Float64Array =
    steps === 0 ? x.slice() : sparsePropagation(graph, { x, z: x, alpha: beta, gamma: 1 - beta, width });
  let omega = 2;
  for (let step = 1; step < steps; step++) {
    omega = 1 / (1 - (beta * beta * omega) / 4);
    const next = sparsePropagation(graph, { x: y, z: x, alpha: omega * beta, gamma: omega * (1 - beta), width });
    for (let at = 0; at < next.length; at++) next[at]! += (1 - omega) * before[at]!;
    [before, y] = [y, next];
  }
  return y;
}

/** J = Tr(Xᵀ (I - Ã) X) (SEvo Eq. 1, the trace): the less, the smoother. `x` (nodes, width), row-major. */
export function plainSmoothness(graph: SparseMatrix, x: Float64Array): number {
  const width = x.length / graph.rowCount;
  const apart = sparsePropagation(graph, { x, z: x, alpha: -1, gamma: 1, width });
  return apart.reduce((sum, value, at) => sum + value * x[at]!, 0);
}
