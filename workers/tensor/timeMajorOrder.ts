import { tf } from './tf.ts';
import { type SequenceLayout, sequenceLength } from './sequenceLayout.ts';

/**
 * The tokens of a batch by their place in the sequence instead of by sequence: those of place 0, then of place 1, …, within
 * each the longest sequences first. A recurrent layer then works at place t on the first `counts[t]` rows of its state.
 */
export interface TimeMajorOrder {
  /** (sequences) the longest first, equal ones as they come. */
  readonly sequences: Int32Array;
  /** (longest) sequences that have a token at place t. */
  readonly counts: Int32Array;
  /** (tokens) row of the packed matrix of each token in this order. */
  readonly rows: Int32Array;
  /** (tokens) where each row of the packed matrix is in this order. */
  readonly places: Int32Array;
}

const known = new WeakMap<SequenceLayout, TimeMajorOrder>();

/** The order of a layout; it is kept as long as the layout. */
export function timeMajorOrder(layout: SequenceLayout): TimeMajorOrder {
  let order = known.get(layout);
  if (order === undefined) {
    order = orderOf(layout);
    known.set(layout, order);
  }
  return order;
}

function orderOf(layout: SequenceLayout): TimeMajorOrder {
  const sequences = Int32Array.from({ length: layout.sequences }, (_, s) => s).sort(
    (one, other) => sequenceLength(layout, other) - sequenceLength(layout, one) || one - other,
  );
  const counts = new Int32Array(layout.maximumLength);
  const rows = new Int32Array(layout.tokens);
  const places = new Int32Array(layout.tokens);
  let active = sequences.length;
  let place = 0;
  for (let t = 0; t < layout.maximumLength; t++) {
    while (sequenceLength(layout, sequences[active - 1]!) <= t) active--;
    counts[t] = active;
    for (let rank = 0; rank < active; rank++) {
      const row = layout.offsets[sequences[rank]!]! + t;
      rows[place] = row;
      places[row] = place++;
    }
  }
  return { sequences, counts, rows, places };
}

/** Rows [tokens, columns] in time-major order, by place. */
export function splitByPlace(rows: tf.Tensor2D, { counts }: TimeMajorOrder): tf.Tensor2D[] {
  // tfjs cannot differentiate a split into one.
  return counts.length === 1 ? [rows] : tf.split(rows, [...counts], 0);
}
