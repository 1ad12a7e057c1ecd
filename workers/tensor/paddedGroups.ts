import { type SequenceLayout, sequenceLength } from './sequenceLayout.ts';

/** Sequences of similar length, to be computed as one padded array [sequences, length, …]. */
export interface PaddedGroup {
  /** Which sequences of the layout. */
  readonly members: Int32Array;
  /** The longest of them: what they are padded to, at the right. */
  readonly length: number;
  /** (members × length) rows of the packed matrix; a pad repeats the last token of its sequence. */
  readonly rows: Int32Array;
}

export interface PaddedGroups {
  readonly groups: readonly PaddedGroup[];
  /** (tokens) where each token lies in the groups' padded rows, one group after the other. */
  readonly places: Int32Array;
}

const known = new WeakMap<SequenceLayout, PaddedGroups>();

/**
 * Splits a batch into groups of similar length, for backends without kernels that walk packed sequences. A group holds
 * lengths from L up to 1.25 L + 2, so that padding adds little; the groups of a layout are kept as long as it is.
 */
export function paddedGroups(layout: SequenceLayout): PaddedGroups {
  let result = known.get(layout);
  if (!result) {
    result = group(layout);
    known.set(layout, result);
  }
  return result;
}

function group(layout: SequenceLayout): PaddedGroups {
  const byLength = Int32Array.from({ length: layout.sequences }, (_, s) => s).sort(
    (one, other) => sequenceLength(layout, one) - sequenceLength(layout, other) || one - other,
  );
  const groups: PaddedGroup[] = [];
  const places = new Int32Array(layout.tokens);
  let placed = 0;
  for (let from = 0; from < byLength.length; ) {
    const limit = sequenceLength(layout, byLength[from]!) * 1.25 + 2;
    let to = from + 1;
    while (to < byLength.length && sequenceLength(layout, byLength[to]!) <= limit) to++;
    const members = byLength.slice(from, to);
    const length = sequenceLength(layout, members.at(-1)!);
    const rows = new Int32Array(members.length * length);
    members.forEach((s, m) => {
      const first = layout.offsets[s]!;
      const own = sequenceLength(layout, s);
      for (let t = 0; t < length; t++) {
        rows[m * length + t] = first + Math.min(t, own - 1);
        if (t < own) places[first + t] = placed + m * length + t;
      }
    });
    groups.push({ members, length, rows });
    placed += rows.length;
    from = to;
  }
  return { groups, places };
}
