import { badInput } from '#src/base/contracts/errors.ts';

/** Rows whose norm is within this of 1 count as normalised: what single precision leaves. */
export const NORM_TOLERANCE = 1e-5;

export interface RowNorms {
  smallest: number;
  largest: number;
  /** Every row has norm 1, to within `NORM_TOLERANCE`. */
  normalised: boolean;
}

/** Euclidean norms of the rows of `values` (rows, width). Throws BAD_INPUT for values that are not finite. */
export function rowNorms(values: ArrayLike<number>, width: number): RowNorms {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let row = 0; row < values.length / width; row++) {
    const norm = rowNorm(values, row, width);
    smallest = Math.min(smallest, norm);
    largest = Math.max(largest, norm);
  }
  const normalised = Math.abs(smallest - 1) <= NORM_TOLERANCE && Math.abs(largest - 1) <= NORM_TOLERANCE;
  return { smallest, largest, normalised };
}

/** Rows of `values` (rows, width) over their norms. Throws BAD_INPUT for rows that are zero or not finite. */
export function normaliseRows(values: ArrayLike<number>, width: number): Float64Array {
  const unit = new Float64Array(values.length);
  for (let row = 0; row < values.length / width; row++) {
    const norm = rowNorm(values, row, width);
    if (norm === 0)
      throw badInput(`row ${row} is zero and has no direction; expected rows that can be normalised`, 'h');
    for (let at = row * width; at < (row + 1) * width; at++) unit[at] = values[at]! / norm;
  }
  return unit;
}

function rowNorm(values: ArrayLike<number>, row: number, width: number): number {
  let square = 0;
  for (let at = row * width; at < (row + 1) * width; at++) square += values[at]! * values[at]!;
  if (!Number.isFinite(square)) throw badInput(`row ${row} has values that are not finite`, 'h');
  return Math.sqrt(square);
}
