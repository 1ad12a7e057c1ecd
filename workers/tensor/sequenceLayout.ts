import { badInput } from '#src/base/contracts/errors.ts';

/**
 * Where the sequences of a batch lie in a packed matrix [tokens, d]: the tokens of sequence s are the rows from
 * `offsets[s]` to `offsets[s + 1]`, oldest first, with no padding anywhere.
 */
export interface SequenceLayout {
  readonly sequences: number;
  readonly tokens: number;
  /** (sequences + 1) first rows, from 0 to `tokens`. */
  readonly offsets: Int32Array;
  readonly maximumLength: number;
  /**
   * Length that the published padded computation would fill every sequence up to; at least `maximumLength`. It counts
   * only where pads take part (`pads` of `causalAttention`) and in the numbering of attention weights for dropout.
   */
  readonly paddedLength: number;
}

/** The layout of sequences of these lengths, each at least 1; `paddedLength` defaults to the longest. Throws BAD_INPUT. */
export function sequenceLayout(lengths: ArrayLike<number>, paddedLength?: number): SequenceLayout {
  const sequences = lengths.length;
  if (sequences === 0) throw badInput('a batch of no sequences; expected at least one');
  const offsets = new Int32Array(sequences + 1);
  let maximumLength = 0;
  for (let s = 0; s < sequences; s++) {
    const length = lengths[s]!;
    if (!Number.isInteger(length) || length < 1) {
      throw badInput(`sequence ${s} of the batch has length ${length}; expected a whole number from 1`);
    }
    offsets[s + 1] = offsets[s]! + length;
    maximumLength = Math.max(maximumLength, length);
  }
  const padded = paddedLength ?? maximumLength;
  if (!Number.isInteger(padded) || padded < maximumLength) {
    throw badInput(`padded length ${padded}; expected a whole number from ${maximumLength}, the longest of the batch`);
  }
  return { sequences, tokens: offsets[sequences]!, offsets, maximumLength, paddedLength: padded };
}

/** Tokens of sequence `s`. */
export function sequenceLength(layout: SequenceLayout, s: number): number {
  return layout.offsets[s + 1]! - layout.offsets[s]!;
}

/** Row of the last token of each sequence: (sequences). */
export function lastRows(layout: SequenceLayout): Int32Array {
  return layout.offsets.subarray(1).map((end) => end - 1);
}

/** Place of each token in its sequence, from 0: (tokens). */
export function positions(layout: SequenceLayout): Int32Array {
  const result = new Int32Array(layout.tokens);
  for (let s = 0; s < layout.sequences; s++) {
    const from = layout.offsets[s]!;
    for (let row = from; row < layout.offsets[s + 1]!; row++) result[row] = row - from;
  }
  return result;
}

/** (tokens) Place of each token in a window of `length` that its sequence ends: the last token has the last place. */
export function placesFromRight(layout: SequenceLayout, length: number): Int32Array {
  const places = positions(layout);
  for (let s = 0; s < layout.sequences; s++) {
    const pads = length - sequenceLength(layout, s);
    for (let row = layout.offsets[s]!; row < layout.offsets[s + 1]!; row++) places[row]! += pads;
  }
  return places;
}
