// Compiled form of workers/kernels/neighbours/sparseNearestRows.ts; threads take a few queries at a time until there are none left.
import {
  COUNT, DONE, IS_AUTHOR, LENGTH_OFFSETS, MASKS, MASK_WORDS, MATCHED_PAIRS, MAXIMUM_LENGTH, NEXT_QUERY, NUMBERS, ORDER, OUT_ROWS,
  OUT_VALUES, PATTERN_VALUES, POSTING_FIRST, POSTING_LAST, POSTING_OFFSETS, POSTING_ROW, QUERIES_AT_ONCE, QUERY_COUNT, QUERY_ITEMS,
  QUERY_LENGTHS, QUERY_STARTS, RESULT_DONE, RESULT_OUT_OF_MEMORY, RESULT_STOPPED, ROWS_BY_LENGTH, ROW_COUNT, ROW_LENGTHS, ROW_SHIFT,
  ROW_SLOTS, SIZE, STOP, TOUCHED, UNMATCHED,
} from '../fields/searchFields';
import { evaluateAuthor } from './authorPattern';
import { evaluateExact } from './exactPattern';
import { field, setField } from './memory';
import { NO_MEMORY, numberOf } from './patternTable';

/** Takes queries until all are done; returns RESULT_DONE, RESULT_STOPPED or RESULT_OUT_OF_MEMORY. */
export function search(job: usize, lane: usize): u32 {
  const queryCount = field(job, QUERY_COUNT);
  while (true) {
    const from: u32 = atomic.add<u32>(job + (NEXT_QUERY << 2), QUERIES_AT_ONCE);
    if (from >= queryCount) return RESULT_DONE;
    const to = min<u32>(from + QUERIES_AT_ONCE, queryCount);
    for (let query = from; query < to; query++) {
      if (atomic.load<u32>(job + (STOP << 2))) return RESULT_STOPPED;
      if (!searchOne(job, lane, query)) return RESULT_OUT_OF_MEMORY;
    }
    atomic.add<u32>(job + (DONE << 2), to - from);
  }
}

function searchOne(job: usize, lane: usize, query: u32): bool {
  const length = <u32>load<u16>(<usize>field(job, QUERY_LENGTHS) + ((<usize>query) << 1));
  const touched = collectMatches(job, lane, query, length);
  store<f64>(lane + (MATCHED_PAIRS << 2), load<f64>(lane + (MATCHED_PAIRS << 2)) + <f64>touched);
  const words = field(job, MASK_WORDS);
  const masks = <usize>field(lane, MASKS);
  const rows = <usize>field(lane, TOUCHED);
  const numbers = <usize>field(lane, NUMBERS);
  const rowLengths = <usize>field(job, ROW_LENGTHS);
  const known = field(lane, SIZE);
  for (let at: u32 = 0; at < touched; at++) {
    const row = load<u32>(rows + ((<usize>at) << 2));
    const lengths = (length << 16) | <u32>load<u16>(rowLengths + ((<usize>row) << 1));
    const number = numberOf(job, lane, lengths, masks + (((<usize>at) * words) << 2));
    if (number === NO_MEMORY) return false;
    store<u32>(numbers + ((<usize>at) << 2), number);
  }
  if (field(job, IS_AUTHOR)) evaluateAuthor(job, lane, known, field(lane, SIZE));
  else evaluateExact(job, lane, known, field(lane, SIZE));

  const values = <usize>field(lane, PATTERN_VALUES);
  let size: u32 = 0;
  for (let at: u32 = 0; at < touched; at++) {
    const value = load<f64>(values + ((<usize>load<u32>(numbers + ((<usize>at) << 2))) << 3));
    size = offer(job, query, size, load<u32>(rows + ((<usize>at) << 2)), value) & 0x7fff_ffff;
  }
  offerUnmatched(job, lane, query, length, size);
  return true;
}

/**
 * Finds the rows that share an aligned item with the query, builds their masks, and returns how many they are. What is kept of
 * them lies close together, and so stays in the caches, however many rows there are.
 */
function collectMatches(job: usize, lane: usize, query: u32, length: u32): u32 {
  const words = field(job, MASK_WORDS);
  const offsets = <usize>field(job, POSTING_OFFSETS);
  const postingRow = <usize>field(job, POSTING_ROW);
  const postingFirst = <usize>field(job, POSTING_FIRST);
  const postingLast = <usize>field(job, POSTING_LAST);
  const masks = <usize>field(lane, MASKS);
  const rows = <usize>field(lane, TOUCHED);
  const start = load<u32>(<usize>field(job, QUERY_STARTS) + ((<usize>query) << 2));
  let next = <usize>field(job, QUERY_ITEMS) + ((<usize>start) << 2);
  clearRowSlots(job, lane, next, length);
  const slots = <usize>field(lane, ROW_SLOTS);
  const shift = field(lane, ROW_SHIFT);
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
function clearRowSlots(job: usize, lane: usize, items: usize, length: u32): void {
  const offsets = <usize>field(job, POSTING_OFFSETS);
  let most: u32 = 0;
  for (let place: u32 = 0; place < length; place++) {
    const item = <usize>load<u32>(items + ((<usize>place) << 2)) << 2;
    most += load<u32>(offsets + item, 4) - load<u32>(offsets + item);
    most = min<u32>(most, field(job, ROW_COUNT));
  }
  const shift: u32 = <u32>clz<u32>(most + (most >> 2));
  // a shift by 32 would be none: there are always two slots
  setField(lane, ROW_SHIFT, min<u32>(shift, 31));
  memory.fill(<usize>field(lane, ROW_SLOTS), 0xff, (<usize>1) << (34 - min<u32>(shift, 31)));
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

function offerUnmatched(job: usize, lane: usize, query: u32, length: u32, size: u32): void {
  const count = field(job, COUNT);
  const maximum = field(job, MAXIMUM_LENGTH);
  const order = <usize>field(job, ORDER) + (((<usize>length) * maximum) << 1);
  const unmatched = <usize>field(job, UNMATCHED) + (((<usize>length) * (maximum + 1)) << 3);
  const lengthOffsets = <usize>field(job, LENGTH_OFFSETS);
  const rowsByLength = <usize>field(job, ROWS_BY_LENGTH);
  const slots = <usize>field(lane, ROW_SLOTS);
  const shift = field(lane, ROW_SHIFT);
  const touched = <usize>field(lane, TOUCHED);
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
