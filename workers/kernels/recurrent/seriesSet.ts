import { badInput } from '#src/base/contracts/errors.ts';

/** Sequences of vectors, of any and also different lengths, side by side. */
export interface SeriesSet {
  /** m, the numbers of one time step. */
  dimension: number;
  /** (steps of all series, dimension) */
  values: Float64Array;
  /** (series + 1) Series i has the time steps offsets[i] to offsets[i + 1] - 1. */
  offsets: Uint32Array;
}

/**
 * Packs `series`, each a list of T x `dimension` numbers, step after step. Throws BAD_INPUT for an empty series, for one
 * whose numbers are no whole number of steps, and for values that are not finite.
 */
export function seriesSet(series: readonly ArrayLike<number>[], dimension = 1): SeriesSet {
  if (!Number.isInteger(dimension) || dimension < 1) {
    throw badInput(`the numbers of a time step are a positive integer, got ${dimension}`, 'dimension');
  }
  const offsets = new Uint32Array(series.length + 1);
  for (const [index, one] of series.entries()) {
    if (one.length === 0) throw badInput('a series is empty; at least one time step is expected', `series ${index}`);
    if (one.length % dimension !== 0) {
      throw badInput(`${one.length} numbers are no whole number of steps of ${dimension}`, `series ${index}`);
    }
    offsets[index + 1] = offsets[index] + one.length / dimension;
  }
  const values = new Float64Array(offsets[series.length] * dimension);
  for (const [index, one] of series.entries()) values.set(Array.from(one), offsets[index] * dimension);
  const set = { dimension, values, offsets };
  checkSeriesSet(set);
  return set;
}

/** Throws BAD_INPUT, saying where, for no series at all, empty ones and values that are not finite. */
export function checkSeriesSet({ dimension, values, offsets }: SeriesSet): void {
  const count = offsets.length - 1;
  if (count < 1) throw badInput('there are no series; at least one is expected', 'series');
  if (values.length !== offsets[count] * dimension) {
    throw badInput(`${values.length} values for ${offsets[count]} steps of ${dimension} numbers`, 'series');
  }
  for (let series = 0; series < count; series++) {
    if (offsets[series + 1] <= offsets[series]) {
      throw badInput('a series is empty; at least one time step is expected', `series ${series}`);
    }
    for (let at = offsets[series] * dimension; at < offsets[series + 1] * dimension; at++) {
      if (!Number.isFinite(values[at])) {
        const step = Math.floor(at / dimension) - offsets[series];
        throw badInput(`the value ${values[at]} at time step ${step}; finite numbers are expected`, `series ${series}`);
      }
    }
  }
}

export function seriesLength({ offsets }: SeriesSet, series: number): number {
  return offsets[series + 1] - offsets[series];
}

/**
 * The series with every `count` consecutive steps as one, a vector of count × dimension numbers in their order. Where a
 * length is no multiple of `count`, zeros come before the series, so that its end stands at the end of a step.
 */
export function joinSteps(set: SeriesSet, count: number): SeriesSet {
  if (count === 1) return set;
  const dimension = set.dimension * count;
  const lengths = Array.from({ length: set.offsets.length - 1 }, (_, series) => seriesLength(set, series));
  const offsets = new Uint32Array(set.offsets.length);
  for (const [series, length] of lengths.entries()) offsets[series + 1] = offsets[series] + Math.ceil(length / count);
  const values = new Float64Array(offsets[lengths.length] * dimension);
  for (const [series, length] of lengths.entries()) {
    const own = set.values.subarray(set.offsets[series] * set.dimension, set.offsets[series + 1] * set.dimension);
    values.set(own, offsets[series + 1] * dimension - length * set.dimension);
  }
  return { dimension, values, offsets };
}

/** One series as a list of vectors (T, m), for the plain reference implementations. */
export function seriesVectors({ dimension, values, offsets }: SeriesSet, series: number): number[][] {
  const vectors: number[][] = [];
  for (let step = offsets[series]; step < offsets[series + 1]; step++) {
    vectors.push([...values.subarray(step * dimension, (step + 1) * dimension)]);
  }
  return vectors;
}
