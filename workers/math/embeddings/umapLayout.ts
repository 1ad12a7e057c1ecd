import { UMAP } from 'umap-js';
import type { RandomGenerator } from '../random/randomGenerator.ts';

/** The nearest other rows of each row of a table. */
export interface NearestOfRows {
  rows: number;
  /** How many for each row. */
  count: number;
  /** (rows, count) Row numbers, nearest first. */
  neighbours: Int32Array;
  /** (rows, count) */
  distances: Float64Array;
}

export interface UmapOptions {
  /** Numbers that a place has. */
  dimensions: 2 | 3;
  /** How close points may lie, in units of the picture (UMAP's `min_dist`). */
  minimumDistance: number;
  /** Epochs of the layout; null for as many as UMAP takes for the number of rows (500 down to 200). */
  epochs: number | null;
  generator: RandomGenerator;
  /** Called before each epoch with what part is done; may throw to stop. */
  pulse: (done: number) => void;
}

/**
 * (rows, dimensions) Places of rows in the plane or in space by UMAP (McInnes, Healy, Melville 2018), from exact nearest neighbours: each row and
 * its `nearest` are UMAP's `n_neighbors`. Starts from random places, as `umap-js` does; equal arguments and generators give
 * equal places.
 */
export function umapLayout(
  nearest: NearestOfRows,
  { dimensions, minimumDistance, epochs, generator, pulse }: UmapOptions,
): Float64Array {
  const { rows, count, neighbours, distances } = nearest;
  pulse(0);
  const umap = new UMAP({
    nComponents: dimensions,
    nNeighbors: count + 1,
    minDist: minimumDistance,
    random: () => generator.nextFloat(),
    ...(epochs === null ? {} : { nEpochs: epochs }),
  });
  // as UMAP has them: the row itself first, at distance 0
  const rowOf = (values: ArrayLike<number>, row: number, first: number): number[] => {
    return Array.from({ length: count + 1 }, (_, place) => (place === 0 ? first : values[row * count + place - 1]!));
  };
  umap.setPrecomputedKNN(
    Array.from({ length: rows }, (_, row) => rowOf(neighbours, row, row)),
    Array.from({ length: rows }, (_, row) => rowOf(distances, row, 0)),
  );
  // with neighbours given, only the number of rows is read
  const wanted = umap.initializeFit(Array.from({ length: rows }, () => []));
  for (let epoch = 0; epoch < wanted; epoch++) {
    pulse(epoch / wanted);
    umap.step();
  }
  return Float64Array.from(umap.getEmbedding().flat());
}
