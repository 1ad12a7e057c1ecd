import * as operation from '../fields/elementwiseFields';
import { partStart } from './lanes';

/** Elements that are summed by themselves before they join the total, so that rounding grows slowly. */
const RUN: i32 = 1024;

@inline
function startOf(kind: i32): f32 {
  if (kind == operation.GREATEST) return -Infinity;
  if (kind == operation.LEAST) return Infinity;
  return kind == operation.PRODUCT ? 1 : 0;
}

@inline
function join(kind: i32, a: v128, b: v128): v128 {
  if (kind == operation.SUM) return f32x4.add(a, b);
  if (kind == operation.GREATEST) return f32x4.max(a, b);
  if (kind == operation.LEAST) return f32x4.min(a, b);
  return f32x4.mul(a, b);
}

@inline
function joinLanes(kind: i32, x: v128): f32 {
  const pair = join(kind, x, v128.shuffle<f32>(x, x, 2, 3, 0, 1));
  return f32x4.extract_lane(join(kind, pair, v128.shuffle<f32>(pair, pair, 1, 0, 3, 2)), 0);
}

/** One run of at most RUN neighbours. */
@inline
function run(kind: i32, x: usize, count: i32): f32 {
  const first = f32x4.splat(startOf(kind));
  let s0 = first;
  let s1 = first;
  let s2 = first;
  let s3 = first;
  const end16 = x + (<usize>(count & ~15) << 2);
  const end4 = x + (<usize>(count & ~3) << 2);
  const end = x + (<usize>count << 2);
  while (x < end16) {
    s0 = join(kind, s0, v128.load(x));
    s1 = join(kind, s1, v128.load(x, 16));
    s2 = join(kind, s2, v128.load(x, 32));
    s3 = join(kind, s3, v128.load(x, 48));
    x += 64;
  }
  while (x < end4) {
    s0 = join(kind, s0, v128.load(x));
    x += 16;
  }
  let value = joinLanes(kind, join(kind, join(kind, s0, s1), join(kind, s2, s3)));
  while (x < end) {
    value = f32x4.extract_lane(join(kind, f32x4.splat(value), v128.load32_splat(x)), 0);
    x += 4;
  }
  return value;
}

@inline
function rows(kind: i32, x: usize, to: usize, from: i32, until: i32, count: i32, factor: f32): void {
  for (let row = from; row < until; row++) {
    const start = x + ((<usize>row * count) << 2);
    let value = startOf(kind);
    for (let at = 0; at < count; at += RUN) {
      const part = run(kind, start + (<usize>at << 2), min(RUN, count - at));
      value = f32x4.extract_lane(join(kind, f32x4.splat(value), f32x4.splat(part)), 0);
    }
    f32.store(to + (<usize>row << 2), value * factor);
  }
}

/** to (outer) = reduction of x (outer, count) along its last dimension, times `factor`. */
export function reduceRows(lane: i32, lanes: i32, kind: i32, x: usize, to: usize, outer: i32, count: i32, factor: f32): void {
  const from = partStart(outer, lane, lanes, 1);
  const until = partStart(outer, lane + 1, lanes, 1);
  switch (kind) {
    case operation.SUM: return rows(operation.SUM, x, to, from, until, count, factor);
    case operation.GREATEST: return rows(operation.GREATEST, x, to, from, until, count, factor);
    case operation.LEAST: return rows(operation.LEAST, x, to, from, until, count, factor);
    case operation.PRODUCT: return rows(operation.PRODUCT, x, to, from, until, count, factor);
    default: unreachable();
  }
}

/** Each run of 1024 of the `count` neighbours at x by itself: what is left is for `reduceRows`, in one order for any lanes. */
export function reduceRuns(lane: i32, lanes: i32, kind: i32, x: usize, to: usize, count: i32): void {
  const runs = (count + RUN - 1) / RUN;
  const until = partStart(runs, lane + 1, lanes, 1);
  for (let index = partStart(runs, lane, lanes, 1); index < until; index++) {
    const at = index * RUN;
    reduceRows(0, 1, kind, x + (<usize>at << 2), to + (<usize>index << 2), 1, min(RUN, count - at), 1);
  }
}

/** Four columns, reduced over `count` rows `stride` bytes apart; runs of 64 join the total. */
@inline
function column(kind: i32, x: usize, count: i32, stride: usize): v128 {
  let total = f32x4.splat(startOf(kind));
  for (let done = 0; done < count; done += 64) {
    let part = f32x4.splat(startOf(kind));
    for (let left = min(64, count - done); left > 0; left--) {
      part = join(kind, part, v128.load(x));
      x += stride;
    }
    total = join(kind, total, part);
  }
  return total;
}

@inline
function columns(kind: i32, x: usize, to: usize, from: i32, until: i32, count: i32, inner: i32, groups: i32, factor: v128): void {
  const stride = <usize>inner << 2;
  for (let index = from; index < until; index++) {
    const outer = index / groups;
    const at = (index - outer * groups) << 2;
    const value = f32x4.mul(column(kind, x + ((<usize>outer * count * inner + at) << 2), count, stride), factor);
    const place = to + ((<usize>outer * inner + at) << 2);
    const left = inner - at;
    f32.store(place, f32x4.extract_lane(value, 0));
    if (left > 1) f32.store(place, f32x4.extract_lane(value, 1), 4);
    if (left > 2) f32.store(place, f32x4.extract_lane(value, 2), 8);
    if (left > 3) f32.store(place, f32x4.extract_lane(value, 3), 12);
  }
}

/** to (outer, inner) = reduction of x (outer, count, inner) along its middle dimension, times `factor`. */
export function reduceColumns(
  lane: i32, lanes: i32, kind: i32, x: usize, to: usize, outer: i32, count: i32, inner: i32, factor: f32,
): void {
  const groups = (inner + 3) >> 2;
  const from = partStart(outer * groups, lane, lanes, 1);
  const until = partStart(outer * groups, lane + 1, lanes, 1);
  const by = f32x4.splat(factor);
  switch (kind) {
    case operation.SUM: return columns(operation.SUM, x, to, from, until, count, inner, groups, by);
    case operation.GREATEST: return columns(operation.GREATEST, x, to, from, until, count, inner, groups, by);
    case operation.LEAST: return columns(operation.LEAST, x, to, from, until, count, inner, groups, by);
    case operation.PRODUCT: return columns(operation.PRODUCT, x, to, from, until, count, inner, groups, by);
    default: unreachable();
  }
}
