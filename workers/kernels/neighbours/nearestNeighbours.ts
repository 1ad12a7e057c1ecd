import { badInput } from '#src/contracts/errors.ts';
import type { KernelMatrix } from '../recurrent/kernelMatrix.ts';

export interface KernelNeighbours {
  /** (columns) Classes of the training examples, from 0. */
  labels: ArrayLike<number>;
  /** (rows) k(x, x) of the examples in question. */
  rowDiagonal: Float64Array;
  /** (columns) k(x, x) of the training examples. */
  columnDiagonal: Float64Array;
  /** How many neighbours vote. */
  neighbours: number;
}

/**
 * (rows) Classes by a vote of the nearest training examples in the kernel's feature space, where the squared distance is
 * k(x, x) - 2 k(x, x') + k(x', x'). Equal distances: the lower example; equal votes: the class whose nearest member is nearer.
 * @param cross (rows, columns) Throws BAD_INPUT for fewer than one neighbour or more than training examples.
 */
export function nearestNeighbourClasses(cross: KernelMatrix, given: KernelNeighbours): Uint32Array {
  const { labels, rowDiagonal, columnDiagonal, neighbours } = given;
  if (!Number.isInteger(neighbours) || neighbours < 1 || neighbours > cross.columns) {
    throw badInput(`neighbours: received ${neighbours}, expected a whole number from 1 to ${cross.columns}`);
  }
  const places = Array.from({ length: cross.columns }, (_, column) => column);
  return Uint32Array.from({ length: cross.rows }, (_, row) => {
    const distance = (column: number): number =>
      rowDiagonal[row] - 2 * cross.values[row * cross.columns + column] + columnDiagonal[column];
    const distances = Float64Array.from(places, distance);
    const nearest = [...places].sort((a, b) => distances[a] - distances[b] || a - b).slice(0, neighbours);
    const votes = new Map<number, number>();
    for (const column of nearest) votes.set(labels[column], (votes.get(labels[column]) ?? 0) + 1);
    // a Map keeps the order of first votes, so that the nearest wins among equals
    return [...votes].reduce((best, vote) => (vote[1] > best[1] ? vote : best))[0];
  });
}
