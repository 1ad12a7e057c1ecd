import { embeddingRanking } from '../evaluation/embeddings/embeddingRanking.ts';

/** The nearest other rows of each row of a table. */
export interface NearestEmbeddings {
  rows: number;
  /** How many for each row. */
  count: number;
  /** (rows, count) Row numbers, nearest first; of equally near ones the lower number first. */
  neighbours: Int32Array;
  /** (rows, count) */
  distances: Float64Array;
}

export type RowMetric = 'euclidean' | 'cosine';

export interface NearestEmbeddingsOptions {
  /** Less than there are rows. */
  count: number;
  metric: RowMetric;
  threads: number;
  /** Called now and then; may throw to stop. */
  pulse: () => void;
}

/**
 * Nearest rows of `values` (rows, width), row-major and finite, by comparing all with all. `cosine` is 1 less the cosine; a
 * row of zeros has distance 1 to all. Which rows are nearest is decided in single precision, their order in double.
 */
export async function nearestEmbeddings(
  values: ArrayLike<number>,
  width: number,
  { count, metric, threads, pulse }: NearestEmbeddingsOptions,
): Promise<NearestEmbeddings> {
  const rows = values.length / width;
  if (!Number.isInteger(rows) || count < 1 || count >= rows) {
    throw new Error(`internal: ${count} nearest of ${values.length} numbers in rows of ${width}`);
  }
  const points = metric === 'cosine' ? unitRows(values, width) : centredRows(values, width);
  const all = Uint32Array.from({ length: rows }, (_, row) => row);
  const { lists } = await embeddingRanking(
    scoresOf(points, width, metric),
    { users: all, targets: all, excluded: null, listLength: count + 1, betweenQueries: pulse },
    threads,
  );
  const found: NearestEmbeddings = {
    rows,
    count,
    neighbours: new Int32Array(rows * count),
    distances: new Float64Array(rows * count),
  };
  const distance = (a: number, b: number): number => {
    let [square, product] = [0, 0];
    for (let d = 0; d < width; d++) {
      const [x, y] = [points[a * width + d]!, points[b * width + d]!];
      square += (x - y) * (x - y);
      product += x * y;
    }
    return metric === 'cosine' ? Math.max(0, 1 - product) : Math.sqrt(square);
  };
  for (let row = 0; row < rows; row++) {
    // the row itself is nearest but where others are equal to it
    const others = Array.from(lists.subarray(row * (count + 1), (row + 1) * (count + 1)))
      .filter((other) => other !== row)
      .slice(0, count)
      .map((other) => ({ other, far: distance(row, other) }))
      .sort((a, b) => a.far - b.far || a.other - b.other);
    for (const [place, { other, far }] of others.entries()) {
      found.neighbours[row * count + place] = other;
      found.distances[row * count + place] = far;
    }
  }
  return found;
}

/** Products with which the nearest row scores highest: x·y, less ‖y‖²/2 by one dimension more for Euclidean distances. */
function scoresOf(points: Float64Array, width: number, metric: RowMetric) {
  const rows = points.length / width;
  const dimension = width + 1;
  const users = new Float32Array(rows * dimension);
  const items = new Float32Array(rows * dimension);
  for (let row = 0; row < rows; row++) {
    let square = 0;
    for (let d = 0; d < width; d++) {
      const value = points[row * width + d]!;
      users[row * dimension + d] = value;
      items[row * dimension + d] = value;
      square += value * value;
    }
    users[row * dimension + width] = 1;
    if (metric === 'euclidean') items[row * dimension + width] = -square / 2;
  }
  return { users, items, dimension };
}

/** Rows less their mean: distances stay, and single precision is not spent on what they share. */
function centredRows(values: ArrayLike<number>, width: number): Float64Array {
  const mean = new Float64Array(width);
  const rows = values.length / width;
  for (let at = 0; at < values.length; at++) mean[at % width]! += values[at]! / rows;
  return Float64Array.from(values, (value, at) => value - mean[at % width]!);
}

/** Rows over their norms; those of zeros stay. */
function unitRows(values: ArrayLike<number>, width: number): Float64Array {
  const unit = Float64Array.from(values);
  for (let from = 0; from < unit.length; from += width) {
    const row = unit.subarray(from, from + width);
    const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    if (norm > 0) for (let d = 0; d < width; d++) row[d]! /= norm;
  }
  return unit;
}
