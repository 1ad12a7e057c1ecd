import type { RandomGenerator } from '../math/random/randomGenerator.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';

const STEPS = 150;

/**
 * (n, 2) Places of the nodes in the unit square, by the forces of Fruchterman and Reingold (1991): edges pull, all pairs push, for 150
 * steps that get shorter. Takes n² time: for graphs that are drawn whole.
 */
export function graphLayout(graph: SparseMatrix, generator: RandomGenerator): Float64Array {
  const { rowCount: nodes, offsets, columns } = graph;
  const places = Float64Array.from({ length: 2 * nodes }, () => generator.nextFloat());
  const ideal = Math.sqrt(1 / nodes);
  const moves = new Float64Array(2 * nodes);
  for (let step = 0; step < STEPS; step++) {
    moves.fill(0);
    const push = (a: number, b: number, force: (distance: number) => number): void => {
      const dx = places[2 * a]! - places[2 * b]!;
      const dy = places[2 * a + 1]! - places[2 * b + 1]!;
      const distance = Math.max(1e-4, Math.hypot(dx, dy));
      const strength = force(distance) / distance;
      moves[2 * a]! += dx * strength;
      moves[2 * a + 1]! += dy * strength;
      moves[2 * b]! -= dx * strength;
      moves[2 * b + 1]! -= dy * strength;
    };
    for (let a = 0; a < nodes; a++) {
      for (let b = 0; b < a; b++) push(a, b, (distance) => (ideal * ideal) / distance);
      for (let at = offsets[a]!; at < offsets[a + 1]!; at++) {
        if (columns[at]! < a) push(a, columns[at]!, (distance) => -(distance * distance) / ideal);
      }
    }
    const longest = 0.1 * (1 - step / STEPS) + 0.001;
    for (let node = 0; node < nodes; node++) {
      const length = Math.hypot(moves[2 * node]!, moves[2 * node + 1]!);
      const scale = length > longest ? longest / length : 1;
      places[2 * node]! += scale * moves[2 * node]!;
      places[2 * node + 1]! += scale * moves[2 * node + 1]!;
    }
  }
  for (const axis of [0, 1]) spread(places, axis);
  return places;
}

/** (n, 2) Places by the ranks of two columns of `vectors` (n, dimensions): crowded coordinates are spread out evenly. */
export function rankLayout(vectors: Float64Array, dimensions: number, axes: readonly [number, number]): Float64Array {
  const nodes = vectors.length / dimensions;
  const places = new Float64Array(2 * nodes);
  for (const [axis, column] of axes.entries()) {
    const order = Array.from({ length: nodes }, (_, node) => node);
    order.sort((a, b) => vectors[a * dimensions + column]! - vectors[b * dimensions + column]! || a - b);
    for (const [rank, node] of order.entries()) places[2 * node + axis] = nodes === 1 ? 0.5 : rank / (nodes - 1);
  }
  return places;
}

/** Moves one coordinate of all places to fill 0 to 1. */
function spread(places: Float64Array, axis: number): void {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = axis; at < places.length; at += 2) {
    least = Math.min(least, places[at]!);
    greatest = Math.max(greatest, places[at]!);
  }
  const width = greatest - least;
  for (let at = axis; at < places.length; at += 2) places[at] = width > 0 ? (places[at]! - least) / width : 0.5;
}
