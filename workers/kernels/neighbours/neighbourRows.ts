import type { RowPlaces } from './neighbourVotes.ts';

/** Item sequences as compressed rows: sequence u has `items[offsets[u] .. offsets[u + 1]]`. */
export interface ItemSequences {
  /** (sequences + 1) */
  offsets: Uint32Array;
  items: Uint32Array;
  itemCount: number;
}

/** Prefixes (x_1 .. x_q) -> x_(q+1) of a sequence: q from `first` to `last`, none where last < first. */
export interface PrefixSpan {
  first: number;
  last: number;
}

/** Which prefixes of a sequence, by its length and its number, are neighbours. */
export type PrefixRange = (length: number, sequence: number) => PrefixSpan;

/**
 * Neighbour rows, numbered by sequence and then by prefix, and an inverted index over their items. It never holds the
 * prefixes themselves: a place j of a sequence that holds an item serves the row of every longer prefix, at a distance from
 * the end that grows with the prefix.
 */
export interface NeighbourRows {
  rowCount: number;
  maximumLength: number;
  /** Input length min(q, M) of each row. (rows) */
  lengths: Uint16Array;
  /** The item x_(q+1) that follows each row's input. (rows) */
  targets: Uint32Array;
  /** Rows of input length T, ascending: `rowsByLength[lengthOffsets[T] .. lengthOffsets[T + 1]]`. (M + 2) and (rows) */
  lengthOffsets: Uint32Array;
  rowsByLength: Uint32Array;
  /** Postings of item i: `[postingOffsets[i], postingOffsets[i + 1])`, by `postingLast` descending. (items + 1) */
  postingOffsets: Uint32Array;
  /** Row `postingRow + d` has the item d places before its end, for d from `postingFirst` to `postingLast` < M. */
  postingRow: Int32Array;
  postingFirst: Uint16Array;
  postingLast: Uint16Array;
}

/** Builds rows and index in O(interactions log) time and about 14 bytes a posting. `maximumLength` is at most 65,535. */
export function neighbourRows(sequences: ItemSequences, range: PrefixRange, maximumLength: number): NeighbourRows {
  const { offsets, items } = sequences;
  const count = offsets.length - 1;
  const ranges = new Int32Array(2 * count);
  let rowCount = 0;
  let postings = 0;
  for (let u = 0; u < count; u++) {
    const { first, last } = range(offsets[u + 1] - offsets[u], u);
    ranges[2 * u] = first;
    ranges[2 * u + 1] = last;
    if (last < first) continue;
    rowCount += last - first + 1;
    postings += last;
  }
  const lengths = new Uint16Array(rowCount);
  const targets = new Uint32Array(rowCount);
  const unsorted: UnsortedPostings = {
    item: new Uint32Array(postings),
    row: new Int32Array(postings),
    first: new Uint16Array(postings),
    last: new Uint16Array(postings),
    count: 0,
  };
  let row = 0;
  for (let u = 0; u < count; u++) {
    const [first, last] = [ranges[2 * u], ranges[2 * u + 1]];
    if (last < first) continue;
    addPostings(unsorted, { items, start: offsets[u], first, last, row, maximumLength });
    for (let q = first; q <= last; q++, row++) {
      lengths[row] = Math.min(q, maximumLength);
      targets[row] = items[offsets[u] + q];
    }
  }
  const byLength = groupAscending(lengths, maximumLength + 1);
  return {
    rowCount,
    maximumLength,
    lengths,
    targets,
    lengthOffsets: byLength.offsets,
    rowsByLength: byLength.members,
    ...sortedPostings(unsorted, sequences.itemCount),
  };
}

/** Where the input of each row of `rows` lies in its sequence; its target follows. */
export function prefixPlaces(sequences: ItemSequences, range: PrefixRange, rows: NeighbourRows): RowPlaces {
  const { offsets, items } = sequences;
  const starts = new Uint32Array(rows.rowCount);
  let row = 0;
  for (let u = 0; u + 1 < offsets.length; u++) {
    const { first, last } = range(offsets[u + 1] - offsets[u], u);
    for (let q = first; q <= last; q++, row++) starts[row] = offsets[u] + q - rows.lengths[row];
  }
  return { items, starts, lengths: rows.lengths };
}

interface UnsortedPostings {
  item: Uint32Array;
  row: Int32Array;
  first: Uint16Array;
  last: Uint16Array;
  count: number;
}

interface PrefixesOfOne {
  items: Uint32Array;
  start: number;
  first: number;
  last: number;
  /** Row number of the prefix of length `first`. */
  row: number;
  maximumLength: number;
}

/** The place j is d = q - 1 - j places before the end of the prefix of length q, whose row is `row + q - first`. */
function addPostings(postings: UnsortedPostings, one: PrefixesOfOne): void {
  for (let j = 0; j < one.last; j++) {
    const nearest = Math.max(0, one.first - 1 - j);
    if (nearest >= one.maximumLength) continue;
    const at = postings.count++;
    postings.item[at] = one.items[one.start + j];
    postings.row[at] = one.row + j + 1 - one.first;
    postings.first[at] = nearest;
    postings.last[at] = Math.min(one.last - 1 - j, one.maximumLength - 1);
  }
}

/** Two stable counting sorts: by the last distance, descending, then by item. */
function sortedPostings(unsorted: UnsortedPostings, itemCount: number) {
  const { count } = unsorted;
  const greatest = unsorted.last.reduce((most, last) => Math.max(most, last), 0);
  const descending = groupAscending(
    unsorted.last.subarray(0, count).map((last) => greatest - last),
    greatest + 1,
  ).members;
  const { offsets, members } = groupAscending(unsorted.item.subarray(0, count), itemCount, descending);
  const postingRow = new Int32Array(count);
  const postingFirst = new Uint16Array(count);
  const postingLast = new Uint16Array(count);
  for (let at = 0; at < count; at++) {
    postingRow[at] = unsorted.row[members[at]];
    postingFirst[at] = unsorted.first[members[at]];
    postingLast[at] = unsorted.last[members[at]];
  }
  return { postingOffsets: offsets, postingRow, postingFirst, postingLast };
}

/** Positions of `keys` grouped by key; inside a group as in `order`, or ascending. */
function groupAscending(
  keys: Uint32Array | Uint16Array,
  keyCount: number,
  order?: Uint32Array,
): { offsets: Uint32Array; members: Uint32Array } {
  const offsets = new Uint32Array(keyCount + 1);
  for (const key of keys) offsets[key + 1]++;
  for (let key = 0; key < keyCount; key++) offsets[key + 1] += offsets[key];
  const next = offsets.slice();
  const members = new Uint32Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    const member = order === undefined ? at : order[at];
    members[next[keys[member]]++] = member;
  }
  return { offsets, members };
}
