import { WarrenError } from '#src/base/contracts/errors.ts';
import type { LabelledSeries } from '../read/readSeries.ts';

/** Series of any lengths, one number a time step, for networks. */
export interface NetworkSeries {
  /** (values of all series) */
  values: Float32Array;
  /** (series + 1) */
  offsets: Uint32Array;
  /** (series) */
  labels: Uint32Array;
}

/**
 * The series as they are, or each scaled to Euclidean norm 1 (a series of zeros stays as it is). Throws DATA_ERROR for
 * missing values, with the series and place.
 */
export function networkSeries(
  { values, offsets, labels }: LabelledSeries,
  { name, scaling }: { name: string; scaling: 'none' | 'unit-norm' },
): NetworkSeries {
  const scaled = new Float32Array(values.length);
  for (let i = 0; i + 1 < offsets.length; i++) {
    const row = values.subarray(offsets[i]!, offsets[i + 1]!);
    const missing = row.findIndex((value) => !Number.isFinite(value));
    if (missing !== -1) {
      throw new WarrenError('DATA_ERROR', `dataset "${name}": series ${i + 1} has no value in place ${missing + 1}`);
    }
    const norm = scaling === 'none' ? 1 : Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    scaled.set(
      row.map((value) => (norm > 0 ? value / norm : value)),
      offsets[i]!,
    );
  }
  return { values: scaled, offsets, labels };
}

/** Some of the series, in the order of `chosen`. */
export function chosenSeries(series: NetworkSeries, chosen: ArrayLike<number>): NetworkSeries {
  const offsets = new Uint32Array(chosen.length + 1);
  const labels = new Uint32Array(chosen.length);
  for (let at = 0; at < chosen.length; at++) {
    const i = chosen[at]!;
    offsets[at + 1] = offsets[at]! + series.offsets[i + 1]! - series.offsets[i]!;
    labels[at] = series.labels[i]!;
  }
  const values = new Float32Array(offsets.at(-1)!);
  for (let at = 0; at < chosen.length; at++) {
    const i = chosen[at]!;
    values.set(series.values.subarray(series.offsets[i]!, series.offsets[i + 1]!), offsets[at]!);
  }
  return { values, offsets, labels };
}
