import { randomGenerator } from '../random/randomGenerator.ts';
import type { NumberTable } from './numberTable.ts';

const MOST_ROUNDS = 30;

/**
 * (rows) In which of `count` clusters each row is, 0 for the largest: spherical k-means, that is k-means of directions (Dhillon,
 * Modha: Concept decompositions for large sparse text data using clustering, 2001), begun from rows far from each other
 * (k-means++). Equal arguments give equal clusters.
 * @param unit From `unitRows`.
 */
export function clusterRows(unit: NumberTable & { values: Float64Array }, count: number, seed = 0): Uint8Array {
  const { rows, columns, values } = unit;
  const taken = Math.min(count, rows, 255);
  const centers = firstCenters(unit, taken, seed);
  const clusterOf = new Uint8Array(rows);
  const sizes = new Float64Array(taken);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let moved = round === 0;
    const sums = new Float64Array(centers.length);
    sizes.fill(0);
    for (let row = 0; row < rows; row++) {
      const nearest = nearestCenter(centers, values.subarray(row * columns, (row + 1) * columns));
      if (nearest !== clusterOf[row]) moved = true;
      clusterOf[row] = nearest;
      sizes[nearest]!++;
      for (let i = 0; i < columns; i++) sums[nearest * columns + i]! += values[row * columns + i]!;
    }
    if (!moved) break;
    for (let cluster = 0; cluster < taken; cluster++) {
      const sum = sums.subarray(cluster * columns, (cluster + 1) * columns);
      const length = Math.hypot(...sum);
      // an empty one keeps its center
      if (length > 0)
        centers.set(
          sum.map((value) => value / length),
          cluster * columns,
        );
    }
  }
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[b]! - sizes[a]! || a - b);
  const place = new Map(order.map((cluster, at) => [cluster, at]));
  return clusterOf.map((cluster) => place.get(cluster)!);
}

function firstCenters({ rows, columns, values }: NumberTable, count: number, seed: number): Float64Array {
  const generator = randomGenerator(seed, 'clusters');
  const centers = new Float64Array(count * columns);
  const far = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  let chosen = Math.floor(generator.nextFloat() * rows);
  for (let cluster = 0; cluster < count; cluster++) {
    centers.set(values.subarray(chosen * columns, (chosen + 1) * columns), cluster * columns);
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      let product = 0;
      for (let i = 0; i < columns; i++) product += values[row * columns + i]! * centers[cluster * columns + i]!;
      far[row] = Math.min(far[row]!, Math.max(0, 1 - product));
      sum += far[row]!;
    }
    let left = generator.nextFloat() * sum;
    for (chosen = 0; chosen < rows - 1; chosen++) {
      left -= far[chosen]!;
      if (left < 0) break;
    }
  }
  return centers;
}

function nearestCenter(centers: Float64Array, row: Float64Array): number {
  let [nearest, best] = [0, Number.NEGATIVE_INFINITY];
  for (let cluster = 0; cluster * row.length < centers.length; cluster++) {
    let product = 0;
    for (let i = 0; i < row.length; i++) product += centers[cluster * row.length + i]! * row[i]!;
    if (product > best) [nearest, best] = [cluster, product];
  }
  return nearest;
}
