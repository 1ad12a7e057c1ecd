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

/**
 * How sequences are put together: by similar length, so that pads add little; or as many as possible, whatever the pads cost, for a
 * GPU, where each further group costs some thirty operations that take longer to start than to compute.
 */
export type Grouping = 'similar' | 'many';

const known: Readonly<Record<Grouping, WeakMap<SequenceLayout, PaddedGroups>>> = {
  similar: new WeakMap(),
  many: new WeakMap(),
};

/** Pairs of tokens in a group of many: 32 MiB of scores a head. */
const MOST_PAIRS = 2 ** 23;

/**
 * Splits a batch into groups for backends without kernels that walk packed sequences. A group of similar length holds lengths from L
 * up to 1.25 L + 2, so that padding adds little; one of many holds what fits into `MOST_PAIRS`, and one sequence at least. The groups
 * of a layout are kept as long as it is.
 */
export function paddedGroups(layout: SequenceLayout, grouping: Grouping = 'similar'): PaddedGroups {
  let result = known[grouping].get(layout);
  if (!result) {
    result = group(layout, grouping);
    known[grouping].set(layout, result);
  }
  return result;
}

function group(layout: SequenceLayout, grouping: Grouping): PaddedGroups {
  const byLength = Int32Array.from({ length: layout.sequences }, (_, s) => s).sort(
    (one, other) => sequenceLength(layout, one) - sequenceLength(layout, other) || one - other,
  );
  const lengthAt = (place: number): number => sequenceLength(layout, byLength[place]!);
  const fits = (from: number, place: number): boolean =>
    grouping === 'similar'
      ? lengthAt(place) <= lengthAt(from) * 1.25 + 2
      : (place - from + 1) * lengthAt(place) ** 2 <= MOST_PAIRS;
  const groups: PaddedGroup[] = [];
  const places = new Int32Array(layout.tokens);
  let placed = 0;
  for (let from = 0; from < byLength.length; ) {
    let to = from + 1;
    while (to < byLength.length && fits(from, to)) to++;
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
