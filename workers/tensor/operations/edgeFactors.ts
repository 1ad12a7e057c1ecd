import { badInput } from '#src/base/contracts/errors.ts';
import type { SparseMatrix } from '#workers/math/sparse/sparseMatrix.ts';
import type { SparseRows } from '../sparseTensor.ts';
import { tf } from '../tf.ts';
import { differentiable } from './differentiable.ts';
import { embeddingLookup } from './embeddingLookup.ts';
import { expectShape } from './expectShape.ts';
import { heapTensor } from './heapTensor.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/** The edges of a graph, each in both directions, by the row that they are of. */
export interface EdgeGraph {
  readonly rows: SparseRows;
  /** (edges) The number of the edge in the other direction. */
  readonly twins: Int32Array;
}

/** (edges) For each entry of a matrix whose pattern is symmetric the number of its mirror image. Throws BAD_INPUT for others. */
export function twinsOf({ rowCount, offsets, columns }: SparseMatrix): Int32Array {
  const twins = new Int32Array(columns.length);
  const next = offsets.slice();
  // rows come in order, and columns in their rows: the mirror images of a column are met in the order in which they stand
  for (let row = 0; row < rowCount; row++) {
    for (let edge = offsets[row]!; edge < offsets[row + 1]!; edge++) {
      const twin = next[columns[edge]!]!++;
      if (columns[twin] !== row)
        throw badInput('edges: expected a symmetric pattern with its columns in order', 'edges');
      twins[edge] = twin;
    }
  }
  return twins;
}

/**
 * [nodes, d] What each node hears: the sum over its edges of the other end's x [nodes, d], whose columns are `factors` blocks, each
 * times the edge's weight for it, weights [edges, factors]. Differentiable in both; nothing of edges × d is made on wasm.
 */
export function edgeSums(graph: EdgeGraph, weights: tf.Tensor2D, x: tf.Tensor2D): tf.Tensor2D {
  const { shape, columns } = graph.rows;
  const factors = weights.shape[1];
  expectShape('edgeSums', 'weights', weights, [columns.size, null]);
  expectShape('edgeSums', 'x', x, [shape[1], null]);
  if (x.shape[1] % factors !== 0)
    throw badInput(`edgeSums: ${factors} factors of ${x.shape[1]} columns; expected a divisor`);
  return differentiable<tf.Tensor2D>([weights, x], (save) => {
    save([weights, x]);
    return {
      value: sums(graph, weights, x),
      gradient: (upstream, [kept, given]) => [
        dots(graph, { a: upstream as tf.Tensor2D, b: given as tf.Tensor2D, factors }),
        sums(graph, embeddingLookup(kept as tf.Tensor2D, graph.twins), upstream as tf.Tensor2D),
      ],
    };
  });
}

/**
 * [edges, factors] For each edge the products of a [nodes, d] at the node that it is of and b [nodes, d] at its other end, block by
 * block. Differentiable in both.
 */
export function edgeDots(
  graph: EdgeGraph,
  { a, b, factors }: { a: tf.Tensor2D; b: tf.Tensor2D; factors: number },
): tf.Tensor2D {
  expectShape('edgeDots', 'a', a, [graph.rows.shape[0], null]);
  expectShape('edgeDots', 'b', b, [graph.rows.shape[1], a.shape[1]]);
  return differentiable<tf.Tensor2D>([a, b], (save) => {
    save([a, b]);
    return {
      value: dots(graph, { a, b, factors }),
      gradient: (upstream, [first, second]) => [
        sums(graph, upstream as tf.Tensor2D, second as tf.Tensor2D),
        sums(graph, embeddingLookup(upstream as tf.Tensor2D, graph.twins), first as tf.Tensor2D),
      ],
    };
  });
}

function sums({ rows }: EdgeGraph, weights: tf.Tensor2D, x: tf.Tensor2D): tf.Tensor2D {
  const backend = wasmBackendInUse();
  const [edges, factors] = weights.shape;
  const [nodes, width] = [rows.shape[0], x.shape[1]];
  if (edges === 0) return tf.zeros([nodes, width]);
  if (backend) {
    const { tensor, address } = heapTensor<tf.Tensor2D>(backend, [nodes, width]);
    const { shares, offsets, columns } = rows;
    const operands = backend.addressesOf({ shares, offsets, columns, weights, x });
    backend.kernels.run('edgeSums', { ...operands, y: address, factors, width: width / factors });
    return tensor;
  }
  const heard = tf.reshape(tf.gather(x, rows.columns), [edges, factors, width / factors]);
  const terms = tf.reshape(tf.mul(heard, tf.expandDims(weights, 2)), [edges, width]);
  return tf.scatterND(rows.rows, terms, [nodes, width]) as tf.Tensor2D;
}

function dots(
  { rows }: EdgeGraph,
  { a, b, factors }: { a: tf.Tensor2D; b: tf.Tensor2D; factors: number },
): tf.Tensor2D {
  const backend = wasmBackendInUse();
  const edges = rows.columns.size;
  const width = a.shape[1];
  if (backend && edges > 0) {
    const { tensor, address } = heapTensor<tf.Tensor2D>(backend, [edges, factors]);
    const { shares, offsets, columns } = rows;
    const operands = backend.addressesOf({ shares, offsets, columns, a, b });
    backend.kernels.run('edgeDots', { ...operands, y: address, factors, width: width / factors });
    return tensor;
  }
  const own = tf.gather(a, tf.reshape(rows.rows, [edges]));
  const products = tf.mul(own, tf.gather(b, rows.columns));
  return tf.sum(tf.reshape(products, [edges, factors, width / factors]), 2) as tf.Tensor2D;
}
