import { WarrenError } from '../../src/contracts/errors.ts';
import type { LabelledSeries } from './readSeries.ts';

/** Series of one length, one number a time step. */
export interface UnitSeries {
  dimension: 1;
  /** (series × length) */
  values: Float64Array;
  /** (series + 1) */
  offsets: Uint32Array;
}

/**
 * The series, each scaled to Euclidean norm 1 as RNTK A.1 does; a series of zeros stays as it is. Throws DATA_ERROR for
 * missing values and for lengths that differ from `length`, with the series and place.
 */
export function unitSeries(
  { values, offsets }: LabelledSeries,
  { name, length }: { name: string; length: number },
): UnitSeries {
  const scaled = Float64Array.from(values);
  for (let i = 0; i + 1 < offsets.length; i++) {
    const row = scaled.subarray(offsets[i]!, offsets[i + 1]!);
    if (row.length !== length) {
      throw new WarrenError(
        'DATA_ERROR',
        `dataset "${name}": series ${i + 1} has ${row.length} values and the first ${length}; series of one length are expected`,
      );
    }
    const missing = row.findIndex((value) => !Number.isFinite(value));
    if (missing !== -1) {
      throw new WarrenError('DATA_ERROR', `dataset "${name}": series ${i + 1} has no value in place ${missing + 1}`);
    }
    const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    if (norm > 0) for (let t = 0; t < length; t++) row[t] = row[t]! / norm;
  }
  return { dimension: 1, values: scaled, offsets };
}
