import { badInput } from '#src/base/contracts/errors.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import { seriesSet } from '#workers/kernels/recurrent/seriesSet.ts';
import type { KernelSeries } from './kernelGrid.ts';

/** Pieces of a series, each with the value that comes after it. */
export interface Segments extends KernelSeries {
  /** (segments) */
  targets: Float64Array;
  /** (segments) The last value of each: the predictor "previous time step". */
  previous: Float64Array;
}

export interface SegmentDraw {
  count: number;
  /** Lengths are uniform from `fixed` to `fixed + variable`. */
  fixed: number;
  variable: number;
  padding: 'front' | 'back';
  /** Places of the series, from inclusive to exclusive, that segments and targets lie in. */
  range: { from: number; to: number };
}

/**
 * Draws segments with uniform lengths and starts, with replacement, as they are and filled up with zeros to one length. Throws
 * BAD_INPUT for a range that cannot hold the longest with its target.
 */
export function drawSegments(series: Float64Array, draw: SegmentDraw, generator: RandomGenerator): Segments {
  const { count, fixed, variable, padding, range } = draw;
  const longest = fixed + variable;
  const room = range.to - range.from;
  if (longest + 1 > room) {
    throw badInput(
      `segments of up to ${longest} values and their target do not fit into ${room} values: choose a smaller fixedLength or variableLength`,
      'parameters.variableLength',
    );
  }
  const pieces: Float64Array[] = [];
  const padded = new Float64Array(count * longest);
  const targets = new Float64Array(count);
  const previous = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const length = fixed + generator.nextInt(variable + 1);
    const start = range.from + generator.nextInt(room - length);
    const piece = series.subarray(start, start + length);
    pieces.push(piece);
    padded.set(piece, i * longest + (padding === 'front' ? longest - length : 0));
    targets[i] = series[start + length]!;
    previous[i] = series[start + length - 1]!;
  }
  return { sequences: seriesSet(pieces), inputs: { values: padded, dimension: longest }, targets, previous };
}
