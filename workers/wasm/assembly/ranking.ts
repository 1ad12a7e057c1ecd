// Compiled form of workers/evaluation/embeddings/embeddingRankingReference.ts. Lanes take a block of queries at a time until the chunk has none left.
// Four users meet a panel of eight items in registers; scores are looked at there and never written, but for the few that
// enter a list or equal the target's.
import {
  DIMENSION, END_QUERY, EQUAL_AFTER, EQUAL_BEFORE, EXCLUDED, EXCLUDED_OFFSETS, GREATER, HEAP, HEAPS, ITEMS, LIST_LENGTH, NEXT_QUERY,
  NO_TARGET, OUT_BEST, OUT_LISTS, OUT_RANKS, OUT_WORST, OWN, PANEL_COUNT, QUERIES_AT_ONCE, QUERY, QUERY_USERS, SCORES, SCRATCH,
  SCRATCH_BYTES, SIZE, STATES, STATE_BYTES, TARGETS, THRESHOLD, USERS, USER_ADDRESS,
} from '../fields/rankingFields';
import { field } from './memory';
import { drain, keyOf, push, replaceWeakest, scoreOf } from './rankingHeap';

/** Bytes of items that stay in the first cache while a block of users meets them. */
const ITEM_BLOCK_BYTES: u32 = 24576;

/** Takes queries until those before END_QUERY are done. */
export function rankItems(lane: i32, lanes: i32, job: usize): void {
  const end = field(job, END_QUERY);
  const scratch = <usize>field(job, SCRATCH) + <usize>lane * field(job, SCRATCH_BYTES);
  while (true) {
    const from: u32 = atomic.add<u32>(job + (NEXT_QUERY << 2), QUERIES_AT_ONCE);
    if (from >= end) return;
    rankBlock(job, scratch, from, min<u32>(QUERIES_AT_ONCE, end - from));
  }
}

function rankBlock(job: usize, scratch: usize, from: u32, count: u32): void {
  const states = scratch + STATES;
  const panels = field(job, PANEL_COUNT);
  const quads = (count + 3) >> 2;
  for (let at: u32 = 0; at < quads * 4; at++) begin(job, scratch, states + <usize>at * STATE_BYTES, from, at, count);
  const step = max<u32>(1, ITEM_BLOCK_BYTES / (field(job, DIMENSION) << 5));
  for (let first: u32 = 0; first < panels; first += step) {
    const last = min<u32>(panels, first + step);
    for (let quad: u32 = 0; quad < quads; quad++) {
      meet(job, scratch, states + <usize>quad * 4 * STATE_BYTES, first, last);
    }
  }
  for (let at: u32 = 0; at < count; at++) finish(job, states + <usize>at * STATE_BYTES);
}

/** Starts a query; those beyond `count` only fill up a quad, and nothing is greater than their thresholds. */
function begin(job: usize, scratch: usize, state: usize, from: u32, at: u32, count: u32): void {
  const query = from + min<u32>(at, count - 1);
  const row = load<u32>(<usize>field(job, QUERY_USERS) + ((<usize>query) << 2));
  const user = <usize>field(job, USERS) + <usize>row * (<usize>field(job, DIMENSION) << 2);
  const target = load<u32>(<usize>field(job, TARGETS) + ((<usize>query) << 2));
  const real = at < count;
  const length = field(job, LIST_LENGTH);
  store<f32>(state + OWN, real && target !== NO_TARGET ? score(job, user, target) : NaN);
  store<f32>(state + THRESHOLD, real && length > 0 ? -Infinity : Infinity);
  store<u32>(state + SIZE, 0);
  store<u32>(state + EQUAL_BEFORE, 0);
  store<u32>(state + EQUAL_AFTER, 0);
  store<u32>(state + QUERY, query);
  store<u32>(state + USER_ADDRESS, <u32>user);
  store<u32>(state + HEAP, <u32>scratch + HEAPS + at * length * 8);
  v128.store(state + GREATER, i32x4.splat(0));
}

/** Scores of four users and the panels from `first` to before `last`. */
function meet(job: usize, scratch: usize, states: usize, first: u32, last: u32): void {
  const bytes = <usize>field(job, DIMENSION) << 2;
  const state1 = states + STATE_BYTES;
  const state2 = state1 + STATE_BYTES;
  const state3 = state2 + STATE_BYTES;
  const user0 = <usize>load<u32>(states + USER_ADDRESS);
  const user1 = <usize>load<u32>(state1 + USER_ADDRESS);
  const user2 = <usize>load<u32>(state2 + USER_ADDRESS);
  const user3 = <usize>load<u32>(state3 + USER_ADDRESS);
  let panel = <usize>field(job, ITEMS) + <usize>first * (bytes << 3);
  for (let number = first; number < last; number++) {
    let a0 = f32x4.splat(0);
    let a1 = f32x4.splat(0);
    let b0 = f32x4.splat(0);
    let b1 = f32x4.splat(0);
    let c0 = f32x4.splat(0);
    let c1 = f32x4.splat(0);
    let d0 = f32x4.splat(0);
    let d1 = f32x4.splat(0);
    for (let at: usize = 0; at < bytes; at += 4) {
      const left = v128.load(panel);
      const right = v128.load(panel, 16);
      panel += 32;
      const a = v128.load32_splat(user0 + at);
      a0 = f32x4.add(a0, f32x4.mul(a, left));
      a1 = f32x4.add(a1, f32x4.mul(a, right));
      const b = v128.load32_splat(user1 + at);
      b0 = f32x4.add(b0, f32x4.mul(b, left));
      b1 = f32x4.add(b1, f32x4.mul(b, right));
      const c = v128.load32_splat(user2 + at);
      c0 = f32x4.add(c0, f32x4.mul(c, left));
      c1 = f32x4.add(c1, f32x4.mul(c, right));
      const d = v128.load32_splat(user3 + at);
      d0 = f32x4.add(d0, f32x4.mul(d, left));
      d1 = f32x4.add(d1, f32x4.mul(d, right));
    }
    look(job, scratch, states, number, a0, a1);
    look(job, scratch, state1, number, b0, b1);
    look(job, scratch, state2, number, c0, c1);
    look(job, scratch, state3, number, d0, d1);
  }
}

/** Counts the scores above the target's; those that may enter the list, or equal the target's, are looked at one by one. */
@inline
function look(job: usize, scratch: usize, state: usize, panel: u32, left: v128, right: v128): void {
  const own = v128.load32_splat(state + OWN);
  const greater = i32x4.add(f32x4.gt(left, own), f32x4.gt(right, own));
  v128.store(state + GREATER, i32x4.sub(v128.load(state + GREATER), greater));
  const threshold = v128.load32_splat(state + THRESHOLD);
  const equal = v128.or(f32x4.eq(left, own), f32x4.eq(right, own));
  const enters = v128.or(f32x4.gt(left, threshold), f32x4.gt(right, threshold));
  if (v128.any_true(v128.or(equal, enters))) {
    const scores = scratch + SCORES;
    v128.store(scores, left);
    v128.store(scores, right, 16);
    lookCloser(job, scores, state, panel);
  }
}

function lookCloser(job: usize, scores: usize, state: usize, panel: u32): void {
  const own = load<f32>(state + OWN);
  const query = <usize>load<u32>(state + QUERY);
  const target = load<u32>(<usize>field(job, TARGETS) + (query << 2));
  const length = field(job, LIST_LENGTH);
  const heap = <usize>load<u32>(state + HEAP);
  for (let at: u32 = 0; at < 8; at++) {
    const score = load<f32>(scores + ((<usize>at) << 2));
    const item = (panel << 3) + at;
    if (score === own && item !== target) {
      const side = state + (item < target ? EQUAL_BEFORE : EQUAL_AFTER);
      store<u32>(side, load<u32>(side) + 1);
    }
    if (!(score > load<f32>(state + THRESHOLD))) continue;
    if (item !== target && isExcluded(job, query, item)) continue;
    const size = load<u32>(state + SIZE);
    if (size < length) {
      push(heap, size, keyOf(score, item));
      store<u32>(state + SIZE, size + 1);
      if (size + 1 < length) continue;
    } else {
      replaceWeakest(heap, size, keyOf(score, item));
    }
    // Items come in ascending order, so an equal score never displaces one that is there.
    store<f32>(state + THRESHOLD, scoreOf(load<u64>(heap)));
  }
}

function isExcluded(job: usize, query: usize, item: u32): bool {
  const offsets = <usize>field(job, EXCLUDED_OFFSETS) + (query << 2);
  const excluded = <usize>field(job, EXCLUDED);
  let low = load<u32>(offsets);
  let high = load<u32>(offsets, 4);
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = load<u32>(excluded + ((<usize>middle) << 2));
    if (found === item) return true;
    if (found < item) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** Dot product in the order of `meet`: the same bits. */
function score(job: usize, user: usize, item: u32): f32 {
  const dimension = <usize>field(job, DIMENSION);
  let values = <usize>field(job, ITEMS) + (<usize>(item >> 3)) * (dimension << 5) + ((<usize>(item & 7)) << 2);
  let sum: f32 = 0;
  for (let at: usize = 0; at < dimension; at++) {
    sum += load<f32>(user + (at << 2)) * load<f32>(values);
    values += 32;
  }
  return sum;
}

function finish(job: usize, state: usize): void {
  const query = <usize>load<u32>(state + QUERY);
  const length = field(job, LIST_LENGTH);
  const lists = <usize>field(job, OUT_LISTS) + query * ((<usize>length) << 2);
  drain(<usize>load<u32>(state + HEAP), load<u32>(state + SIZE), lists, length);
  const own = load<f32>(state + OWN);
  if (isNaN(own)) return;
  const target = load<u32>(<usize>field(job, TARGETS) + (query << 2));
  const counts = v128.load(state + GREATER);
  let greater = i32x4.extract_lane(counts, 0) + i32x4.extract_lane(counts, 1);
  greater += i32x4.extract_lane(counts, 2) + i32x4.extract_lane(counts, 3);
  let before = load<i32>(state + EQUAL_BEFORE);
  let after = load<i32>(state + EQUAL_AFTER);
  const offsets = <usize>field(job, EXCLUDED_OFFSETS) + (query << 2);
  const user = <usize>load<u32>(state + USER_ADDRESS);
  for (let at = load<u32>(offsets); at < load<u32>(offsets, 4); at++) {
    const item = load<u32>(<usize>field(job, EXCLUDED) + ((<usize>at) << 2));
    if (item === target) continue;
    const other = score(job, user, item);
    if (other > own) greater -= 1;
    else if (other === own) {
      if (item < target) before -= 1;
      else after -= 1;
    }
  }
  store<i32>(<usize>field(job, OUT_RANKS) + (query << 2), 1 + greater + before);
  store<i32>(<usize>field(job, OUT_BEST) + (query << 2), 1 + greater);
  store<i32>(<usize>field(job, OUT_WORST) + (query << 2), 1 + greater + before + after);
}
