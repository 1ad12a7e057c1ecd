/**
 * What Graph-Bert knows of the places of nodes (J. Zhang et al., "Graph-Bert: only attention is needed for learning graph
 * representations", 2020, Section 3): the nodes that each is most intimate with, its role, and distances in steps.
 */
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import { symmetricNormalisation } from '../math/sparse/symmetricNormalisation.ts';
import { sparseDenseProduct } from '../tensor/operations/sparseDenseProduct.ts';
import { type SparseTensor, sparseTensor } from '../tensor/sparseTensor.ts';
import { tf } from '../tensor/tf.ts';

/** α of intimacy: the probability that a walk ends here. */
const RESTART = 0.15;
/** Nodes solved for at once. */
const BLOCK = 256;
/** Each divides the error by 1.8: 20 leave 2e-5 of it. */
const ITERATIONS = 20;
/** Distance of nodes that no path joins, as in the authors' code. */
const FAR = 99;

/**
 * The `count` nodes of greatest intimacy with each, in falling order: the entries of α (1 - (1 - α) D^-1/2 A D^-1/2)⁻¹, by Chebyshev's
 * iteration on the backend in use. Fewer where no more can be reached; ties go to the lower number. `pulse` is told the part that is
 * done and may throw.
 */
export async function intimateNodes(
  graph: SparseMatrix,
  count: number,
  pulse: (done: number) => void,
): Promise<number[][]> {
  const nodes = graph.rowCount;
  const steps = sparseTensor(symmetricNormalisation(graph), { isSymmetric: true });
  const found: number[][] = [];
  try {
    for (let from = 0; from < nodes; from += BLOCK) {
      pulse(from / nodes);
      const width = Math.min(BLOCK, nodes - from);
      const solved = tf.tidy(() => solvedFor(steps, from, width)); // (nodes, width)
      const values = await solved.data<'float32'>();
      solved.dispose();
      for (let column = 0; column < width; column++)
        found.push(greatest(values, { column, width, count, self: from + column }));
    }
  } finally {
    steps.dispose();
  }
  return found;
}

/** [nodes, width] Solutions for the unit vectors of nodes from `from`, up to a factor. */
function solvedFor(steps: SparseTensor, from: number, width: number): tf.Tensor2D {
  const nodes = steps.plain.shape[0];
  const unit = new Float32Array(nodes * width);
  for (let column = 0; column < width; column++) unit[(from + column) * width + column] = 1;
  const radius = 1 - RESTART; // eigenvalues lie within it around 1
  let residual = tf.tensor2d(unit, [nodes, width]);
  let step: tf.Tensor2D = residual;
  let x: tf.Tensor2D = tf.zerosLike(residual);
  let rho = radius;
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    [x, residual, step, rho] = tf.tidy(() => {
      const moved = tf.add<tf.Tensor2D>(x, step);
      const heard = tf.mul(sparseDenseProduct(steps, step), radius);
      const left = tf.sub<tf.Tensor2D>(residual, tf.sub(step, heard));
      const next = 1 / (2 / radius - rho);
      return [moved, left, tf.add(tf.mul(step, next * rho), tf.mul(left, (2 * next) / radius)), next] as const;
    }) as [tf.Tensor2D, tf.Tensor2D, tf.Tensor2D, number];
  }
  return x;
}

function greatest(
  values: Float32Array,
  { column, width, count, self }: { column: number; width: number; count: number; self: number },
): number[] {
  const best: { node: number; value: number }[] = [];
  for (let node = 0, at = column; at < values.length; node++, at += width) {
    const value = values[at]!;
    // what no path leads to is exactly 0
    if (node === self || value === 0 || (best.length === count && value <= best[count - 1]!.value)) continue;
    let place = best.length;
    while (place > 0 && best[place - 1]!.value < value) place--;
    best.splice(place, 0, { node, value });
    if (best.length > count) best.pop();
  }
  return best.map(({ node }) => node);
}

/** (nodes) Colors of Weisfeiler and Lehman's refinement, numbered from 1: equal for nodes of equal surroundings. */
export function nodeRoles({ rowCount, offsets, columns }: SparseMatrix, rounds: number): Int32Array {
  let roles = new Int32Array(rowCount).fill(1);
  for (let round = 0; round < rounds; round++) {
    const colors = Array.from(roles, (own, node) => {
      const around = Array.from(columns.subarray(offsets[node], offsets[node + 1]), (other) => roles[other]!);
      return `${own} ${around.sort((a, b) => a - b).join(' ')}`;
    });
    const numbers = new Map([...new Set(colors)].sort().map((color, at) => [color, at + 1]));
    roles = Int32Array.from(colors, (color) => numbers.get(color)!);
  }
  return roles;
}

/** Steps from each node to those listed for it, 99 where no path leads there: breadth-first from each node. */
export function hopDistances(
  { rowCount, offsets, columns }: SparseMatrix,
  listed: readonly (readonly number[])[],
): number[][] {
  const metAt = new Int32Array(rowCount).fill(-1);
  const distance = new Int32Array(rowCount);
  return listed.map((targets, start) => {
    const missing = new Set(targets);
    metAt[start] = start;
    distance[start] = 0;
    const queue = [start];
    for (const node of queue) {
      if (missing.size === 0) break;
      for (const other of columns.subarray(offsets[node], offsets[node + 1])) {
        if (metAt[other] === start) continue;
        metAt[other] = start;
        distance[other] = distance[node]! + 1;
        missing.delete(other);
        queue.push(other);
      }
    }
    return targets.map((target) => (metAt[target] === start ? distance[target]! : FAR));
  });
}
