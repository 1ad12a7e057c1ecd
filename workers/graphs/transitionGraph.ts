import { badInput } from '#src/base/contracts/errors.ts';
import { sparseFromTriplets } from '../math/sparse/sparseFromTriplets.ts';
import type { SparseMatrix } from '../math/sparse/sparseMatrix.ts';
import type { SequencePart } from './featureSets.ts';

export interface TransitionGraphOptions {
  /** Which end of each sequence is looked at. */
  end: 'first' | 'last';
  /** K: items of that end, at least 1. */
  items: number;
  /** H: greatest distance in the sequence of two items that are related, at least 1. */
  pathLength: number;
  /** What a pair at distance h adds: 1, or 1 / h. */
  weighting: 'frequency' | 'distance';
}

/**
 * How often items follow each other (SEvo Algorithm 4), (items, items): every pair of items at most H apart among the first or
 * last K of a user's sequence adds its weight in both directions. An item that follows itself adds both to the diagonal.
 */
export function transitionGraph({ dataset, ends }: SequencePart, options: TransitionGraphOptions): SparseMatrix {
  const { userCount, itemCount, offsets, items } = dataset;
  const { end, items: kept, pathLength, weighting } = options;
  for (const [name, value] of Object.entries({ items: kept, pathLength })) {
    if (!Number.isInteger(value) || value < 1)
      throw badInput(`${name} is ${value}; expected a whole number from 1`, name);
  }
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (let user = 0; user < userCount; user++) {
    const [start, stop] = [offsets[user]!, ends[user]!];
    const first = end === 'first' ? start : Math.max(start, stop - kept);
    const last = end === 'first' ? Math.min(stop, start + kept) : stop;
    for (let place = first; place < last; place++) {
      for (let other = place + 1; other < last && other <= place + pathLength; other++) {
        const weight = weighting === 'frequency' ? 1 : 1 / (other - place);
        rows.push(items[place]!, items[other]!);
        columns.push(items[other]!, items[place]!);
        values.push(weight, weight);
      }
    }
  }
  return sparseFromTriplets({ rowCount: itemCount, columnCount: itemCount, rows, columns, values });
}
