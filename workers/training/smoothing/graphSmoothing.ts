import { badInput } from '#src/base/contracts/errors.ts';
import { checkSparseMatrix, checkSymmetric, type SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import { symmetricNormalisation } from '#workers/math/sparse/symmetricNormalisation.ts';
import { sparseFixedPoint, sparsePropagation } from '#workers/tensor/operations/sparsePropagation.ts';
import { type SparseTensor, sparseTensor } from '#workers/tensor/sparseTensor.ts';
import { tf } from '#workers/tensor/tf.ts';
import { checkTransformation, exactSteps, recursionOf, type Transformation } from './transformation.ts';

/** As near as single precision can tell. */
const EXACT_TOLERANCE = 1e-7;

/** A transformation of variations over a graph, on the backend in use. Whoever makes it disposes it. */
export interface GraphSmoothing {
  readonly nodes: number;
  readonly transformation: Transformation;
  /** Ã = D^-1/2 A D^-1/2. */
  readonly matrix: SparseTensor;
}

/**
 * Smoothing over a graph A, normalised as D^-1/2 A D^-1/2; nodes without neighbours have rows of 0. Throws BAD_INPUT for a
 * transformation out of its range and for a graph that is not square, not symmetric or has negative weights.
 */
export function graphSmoothing(graph: SparseMatrix, transformation: Transformation): GraphSmoothing {
  checkTransformation(transformation);
  checkGraph(graph);
  const matrix = sparseTensor(symmetricNormalisation(graph), { isSymmetric: true });
  return { nodes: graph.rowCount, transformation, matrix };
}

/** Throws BAD_INPUT for a graph that is not square, not symmetric or has negative weights. */
export function checkGraph(graph: SparseMatrix): void {
  checkSparseMatrix(graph, 'graph');
  checkSymmetric(graph, 1e-12, 'graph');
  for (let row = 0; row < graph.rowCount; row++) {
    for (let at = graph.offsets[row]!; at < graph.offsets[row + 1]!; at++) {
      if (graph.values[at]! >= 0) continue;
      throw badInput(
        `graph: the weight between ${row} and ${graph.columns[at]} is ${graph.values[at]}; expected none below 0`,
        'graph',
      );
    }
  }
}

/** Throws BAD_INPUT unless a table [rows, …] has a row for each node of the graph. */
export function checkTable(smoothing: GraphSmoothing, name: string, table: tf.Tensor): void {
  const [rows] = table.shape;
  if (rows === smoothing.nodes) return;
  throw badInput(
    `the graph has ${smoothing.nodes} nodes and the embedding ${name} has shape [${table.shape.join(', ')}]; expected a node for each of its rows`,
    'graph',
  );
}

/** ψ(x) for a variation x of shape [nodes, d]: a new tensor. Reference implementation: `plainTransformation`. Throws BAD_INPUT for other rows. */
export function smoothVariation({ matrix, transformation }: GraphSmoothing, x: tf.Tensor): tf.Tensor2D {
  const { form, beta } = transformation;
  const variation = x as tf.Tensor2D;
  if (form === 'exact') {
    return sparseFixedPoint(matrix, variation, { beta, steps: exactSteps(beta, EXACT_TOLERANCE) });
  }
  return sparsePropagation(matrix, variation, recursionOf(transformation));
}

/** J = Tr(Xᵀ (I - Ã) X) (SEvo Eq. 1, the trace), a scalar, for x [nodes, d]: the less, the smoother. */
export function smoothness({ matrix }: GraphSmoothing, x: tf.Tensor): tf.Scalar {
  return tf.tidy(() => {
    const apart = sparsePropagation(matrix, x as tf.Tensor2D, { start: -1, own: 1, beta: 1, layers: 1 });
    return tf.sum(tf.mul(apart, x)) as tf.Scalar;
  });
}

export function disposeSmoothing({ matrix }: GraphSmoothing): void {
  matrix.dispose();
}
