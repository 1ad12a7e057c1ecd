// Compiled form of workers/kernels/neighbours/sparseNearestRows.ts; lanes take one query after another until the chunk has none left.
import {
  COUNT, END_QUERY, IS_AUTHOR, KEYS, LANE_WORDS, LENGTH_OFFSETS, MASKS, MASK_WORDS, MATCHED_PAIRS, MAXIMUM_LENGTH, NEXT_QUERY, NUMBERS,
  ORDER, OUT_ROWS, OUT_VALUES, OWN_PATTERNS, PATTERN_VALUES, POSTING_FIRST, POSTING_LAST, POSTING_OFFSETS, POSTING_ROW, QUERY_ITEMS,
  QUERY_LENGTHS, QUERY_STARTS, ROWS_BY_LENGTH, ROW_COUNT, ROW_LENGTHS, ROW_SHIFT, ROW_SLOTS, SCRATCH, SIZE, TOUCHED, UNMATCHED,
  WAITING, NUMBERED_COUNT, KNOWN_PATTERNS, TOUCHED_COUNT,
} from '../fields/searchFields';
import { evaluateAuthor } from './authorPattern';
import { evaluateExact } from './exactPattern';
import { field, setField } from './memory';
import { enlarge, has, NO_ROOM, numberOf } from './patternTable';

@inline
function scratchOf(job: usize, lane: i32): usize {
  return <usize>field(job, SCRATCH) + <usize>lane * (LANE_WORDS << 2);
}

/**
 * Takes queries until those before END_QUERY are done. A lane whose table of patterns is full leaves its query waiting; it goes
 * on with it in the next call, before which it must be given a larger table.
 */
export function search(lane: i32, lanes: i32, job: usize): void {
  const scratch = scratchOf(job, lane);
  if (field(scratch, WAITING) !== 0) {
    enlarge(job, scratch);
    if (!evaluateQuery(job, scratch, field(scratch, WAITING) - 1)) return;
    setField(scratch, WAITING, 0);
  }
  const end = field(job, END_QUERY);
  while (true) {
    const query: u32 = atomic.add<u32>(job + (NEXT_QUERY << 2), 1);
    if (query >= end) return;
    const touched = collectMatches(job, scratch, query, lengthOf(job, query));
    const pairs = scratch + (MATCHED_PAIRS << 2);
    store<f64>(pairs, load<f64>(pairs) + <f64>touched);
    setField(scratch, TOUCHED_COUNT, touched);
    setField(scratch, NUMBERED_COUNT, 0);
    setField(scratch, KNOWN_PATTERNS, field(scratch, SIZE));
    if (!evaluateQuery(job, scratch, query)) {
      setField(scratch, WAITING, query + 1);
      return;
    }
  }
}

/** Counts for each lane the patterns of its table that no lane before has: the sum is the number of different ones. */
export function countPatterns(lane: i32, lanes: i32, job: usize): void {
  const scratch = scratchOf(job, lane);
  const stride: usize = (field(job, MASK_WORDS) + 1) << 2;
  const keys = <usize>field(scratch, KEYS);
  const size = field(scratch, SIZE);
  let count: u32 = 0;
  for (let pattern: u32 = 0; pattern < size; pattern++) {
    const key = keys + (<usize>pattern) * stride;
    let before: i32 = 0;
    while (before < lane && !has(job, scratchOf(job, before), load<u32>(key), key + 4)) before++;
    if (before === lane) count++;
  }
  setField(scratch, OWN_PATTERNS, count);
}

@inline
function lengthOf(job: usize, query: u32): u32 {
  return <u32>load<u16>(<usize>field(job, QUERY_LENGTHS) + ((<usize>query) << 1));
}

/** From the rows that the query touches to its nearest ones; false where the table of patterns is full on the way. */
function evaluateQuery(job: usize, scratch: usize, query: u32): bool {
  const length = lengthOf(job, query);
  const touched = field(scratch, TOUCHED_COUNT);
  const words = field(job, MASK_WORDS);
  const masks = <usize>field(scratch, MASKS);
  const rows = <usize>field(scratch, TOUCHED);
  const numbers = <usize>field(scratch, NUMBERS);
  const rowLengths = <usize>field(job, ROW_LENGTHS);
  for (let at = field(scratch, NUMBERED_COUNT); at < touched; at++) {
    const row = load<u32>(rows + ((<usize>at) << 2));
    const lengths = (length << 16) | <u32>load<u16>(rowLengths + ((<usize>row) << 1));
    const number = numberOf(job, scratch, lengths, masks + (((<usize>at) * words) << 2));
    if (number === NO_ROOM) {
      setField(scratch, NUMBERED_COUNT, at);
      return false;
    }
    store<u32>(numbers + ((<usize>at) << 2), number);
  }
  const known = field(scratch, KNOWN_PATTERNS);
  if (field(job, IS_AUTHOR)) evaluateAuthor(job, scratch, known, field(scratch, SIZE));
  else evaluateExact(job, scratch, known, field(scratch, SIZE));

  const values = <usize>field(scratch, PATTERN_VALUES);
  let size: u32 = 0;
  for (let at: u32 = 0; at < touched; at++) {
    const value = load<f64>(values + ((<usize>load<u32>(numbers + ((<usize>at) << 2))) << 3));
    size = offer(job, query, size, load<u32>(rows + ((<usize>at) << 2)), value) & 0x7fff_ffff;
  }
  offerUnmatched(job, scratch, query, length, size);
  return true;
}

/**
 * Finds the rows that share an aligned item with the query, builds their masks, and returns how many they are. What is kept of
 * them lies close together, and so stays in the caches, however many rows there are.
 */
function collectMatches(job: usize, scratch: usize, query: u32, length: u32): u32 {
  const words = field(job, MASK_WORDS);
  const offsets = <usize>field(job, POSTING_OFFSETS);
  const postingRow = <usize>field(job, POSTING_ROW);
  const postingFirst = <usize>field(job, POSTING_FIRST);
  const postingLast = <usize>field(job, POSTING_LAST);
  const masks = <usize>field(scratch, MASKS);
  const rows = <usize>field(scratch, TOUCHED);
  const start = load<u32>(<usize>field(job, QUERY_STARTS) + ((<usize>query) << 2));
  let next = <usize>field(job, QUERY_ITEMS) + ((<usize>start) << 2);
  clearRowSlots(job, scratch, next, length);
  const slots = <usize>field(scratch, ROW_SLOTS);
  const shift = field(scratch, ROW_SHIFT);
  let touched: u32 = 0;
  for (let d: i32 = <i32>length - 1; d >= 0; d--, next += 4) {
    const item = <usize>load<u32>(next) << 2;
    const stop = load<u32>(offsets + item, 4);
    const word = <usize>(d >> 5) << 2;
    const bit: u32 = 1 << (d & 31);
    for (let posting = <usize>load<u32>(offsets + item); posting < stop; posting++) {
      if (<i32>load<u16>(postingLast + (posting << 1)) < d) break;
      if (<i32>load<u16>(postingFirst + (posting << 1)) > d) continue;
      const row: u32 = load<i32>(postingRow + (posting << 2)) + d;
      const slot = slotOf(slots, shift, rows, row);
      let at = load<u32>(slot);
      if (at === FREE) {
        at = touched++;
        store<u32>(slot, at);
        store<u32>(rows + ((<usize>at) << 2), row);
        memory.fill(masks + (((<usize>at) * words) << 2), 0, words << 2);
      }
      const mask = masks + (((<usize>at) * words) << 2) + word;
      store<u32>(mask, load<u32>(mask) | bit);
    }
  }
  return touched;
}

const FREE: u32 = 0xffff_ffff;

/** Empties as many slots as the query's postings can fill to four fifths. */
function clearRowSlots(job: usize, scratch: usize, items: usize, length: u32): void {
  const offsets = <usize>field(job, POSTING_OFFSETS);
  let most: u32 = 0;
  for (let place: u32 = 0; place < length; place++) {
    const item = <usize>load<u32>(items + ((<usize>place) << 2)) << 2;
    most += load<u32>(offsets + item, 4) - load<u32>(offsets + item);
    most = min<u32>(most, field(job, ROW_COUNT));
  }
  const shift: u32 = <u32>clz<u32>(most + (most >> 2));
  // a shift by 32 would be none: there are always two slots
  setField(scratch, ROW_SHIFT, min<u32>(shift, 31));
  memory.fill(<usize>field(scratch, ROW_SLOTS), 0xff, (<usize>1) << (34 - min<u32>(shift, 31)));
}

/** The slot that holds the row, or the free one where it belongs. */
@inline
function slotOf(slots: usize, shift: u32, rows: usize, row: u32): usize {
  const last: u32 = 0xffff_ffff >>> shift;
  let slot: u32 = (row * 0x9e37_79b1) >>> shift;
  while (true) {
    const found = slots + ((<usize>slot) << 2);
    const at = load<u32>(found);
    if (at === FREE || load<u32>(rows + ((<usize>at) << 2)) === row) return found;
    slot = (slot + 1) & last;
  }
}

/** Offers a row to the best ones of its query; returns how many there are now, the top bit set when it was refused. */
function offer(job: usize, query: u32, size: u32, row: u32, value: f64): u32 {
  const count = field(job, COUNT);
  const rows = <usize>field(job, OUT_ROWS) + (((<usize>query) * count) << 2);
  const values = <usize>field(job, OUT_VALUES) + (((<usize>query) * count) << 3);
  let at = size;
  if (size === count) {
    at = count - 1;
    const worst = load<f64>(values + ((<usize>at) << 3));
    if (value < worst || (value === worst && row > load<u32>(rows + ((<usize>at) << 2)))) return size | 0x8000_0000;
  } else {
    size++;
  }
  for (; at > 0; at--) {
    const before = load<f64>(values + ((<usize>at - 1) << 3));
    const rowBefore = load<u32>(rows + ((<usize>at - 1) << 2));
    if (before > value || (before === value && rowBefore < row)) break;
    store<f64>(values + ((<usize>at) << 3), before);
    store<u32>(rows + ((<usize>at) << 2), rowBefore);
  }
  store<f64>(values + ((<usize>at) << 3), value);
  store<u32>(rows + ((<usize>at) << 2), row);
  return size;
}

function offerUnmatched(job: usize, scratch: usize, query: u32, length: u32, size: u32): void {
  const count = field(job, COUNT);
  const maximum = field(job, MAXIMUM_LENGTH);
  const order = <usize>field(job, ORDER) + (((<usize>length) * maximum) << 1);
  const unmatched = <usize>field(job, UNMATCHED) + (((<usize>length) * (maximum + 1)) << 3);
  const lengthOffsets = <usize>field(job, LENGTH_OFFSETS);
  const rowsByLength = <usize>field(job, ROWS_BY_LENGTH);
  const slots = <usize>field(scratch, ROW_SLOTS);
  const shift = field(scratch, ROW_SHIFT);
  const touched = <usize>field(scratch, TOUCHED);
  const values = <usize>field(job, OUT_VALUES) + (((<usize>query) * count) << 3);
  for (let rank: u32 = 0; rank < maximum; rank++) {
    const other = <usize>load<u16>(order + ((<usize>rank) << 1));
    const value = load<f64>(unmatched + (other << 3));
    if (size === count && load<f64>(values + ((<usize>count - 1) << 3)) > value) return;
    const stop = load<u32>(lengthOffsets + (other << 2), 4);
    for (let at = load<u32>(lengthOffsets + (other << 2)); at < stop; at++) {
      const row = load<u32>(rowsByLength + ((<usize>at) << 2));
      if (load<u32>(slotOf(slots, shift, touched, row)) !== FREE) continue;
      const now = offer(job, query, size, row, value);
      if (now & 0x8000_0000) break;
      size = now;
    }
  }
}
