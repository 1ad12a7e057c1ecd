import { WarrenError } from '#src/base/contracts/errors.ts';
import type { LabelledSeries } from '../read/readSeries.ts';

/** Series of unit norm, one number a time step. */
export interface UnitSeries {
  dimension: 1;
  /** (values of all series) */
  values: Float64Array;
  /** (series + 1) */
  offsets: Uint32Array;
}

/**
 * The series, each scaled to Euclidean norm 1 as RNTK A.1 does; a series of zeros stays as it is. Throws DATA_ERROR for
 * values that are missing or not finite, and for lengths that differ from `length`, with the series and place; where
 * `length` is null, lengths may differ.
 */
export function unitSeries(
  { values, offsets }: LabelledSeries,
  { name, length }: { name: string; length: number | null },
): UnitSeries {
  const scaled = Float64Array.from(values);
  for (let i = 0; i + 1 < offsets.length; i++) {
    const row = scaled.subarray(offsets[i]!, offsets[i + 1]!);
    if (length !== null && row.length !== length) {
      throw new WarrenError(
        'DATA_ERROR',
        `dataset "${name}": series ${i + 1} has ${row.length} values, ${length} are expected: this kernel compares series of one length; the kernel rntk takes different ones`,
        { path: 'dataset.name' },
      );
    }
    const missing = row.findIndex((value) => !Number.isFinite(value));
    if (missing !== -1) {
      throw new WarrenError(
        'DATA_ERROR',
        `dataset "${name}": series ${i + 1} has no finite value in place ${missing + 1}: fill the gaps before it is imported`,
        {
          path: 'dataset.name',
        },
      );
    }
    const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    if (norm > 0) for (let t = 0; t < row.length; t++) row[t] = row[t]! / norm;
  }
  return { dimension: 1, values: scaled, offsets };
}
