import { partStart } from './lanes';

/** to (outer, count, inner) = table (outer, extent, inner) at `indices` (count), elements of 4 bytes; zeros at an index below 0. */
export function gatherRows(
  lane: i32, lanes: i32, table: usize, indices: usize, to: usize, outer: i32, extent: i32, count: i32, inner: i32,
): void {
  const bytes = <usize>inner << 2;
  const until = partStart(outer * count, lane + 1, lanes, 1);
  for (let row = partStart(outer * count, lane, lanes, 1); row < until; row++) {
    const block = row / count;
    const index = i32.load(indices + (<usize>(row - block * count) << 2));
    if (index < 0) memory.fill(to + <usize>row * bytes, 0, bytes);
    else memory.copy(to + <usize>row * bytes, table + (<usize>block * extent + index) * bytes, bytes);
  }
}

@inline
function addRow(to: usize, from: usize, columns: i32): void {
  const whole = columns & ~3;
  for (let at = 0; at < whole; at += 4) {
    const place = to + (<usize>at << 2);
    v128.store(place, f32x4.add(v128.load(place), v128.load(from + (<usize>at << 2))));
  }
  for (let at = whole; at < columns; at++) {
    const place = to + (<usize>at << 2);
    f32.store(place, f32.load(place) + f32.load(from + (<usize>at << 2)));
  }
}

/**
 * to (segments, columns) = sums of the rows of x by segment; ids outside are left out. A lane sums every lanes-th segment, in
 * the order of the rows: the same bits for any number of lanes.
 */
export function segmentSum(lane: i32, lanes: i32, x: usize, ids: usize, to: usize, rows: i32, segments: i32, columns: i32): void {
  const bytes = <usize>columns << 2;
  for (let segment = lane; segment < segments; segment += lanes) memory.fill(to + <usize>segment * bytes, 0, bytes);
  for (let row = 0; row < rows; row++) {
    const id = i32.load(ids + (<usize>row << 2));
    if (<u32>id >= <u32>segments) continue;
    if (lanes > 1 && <u32>id % <u32>lanes != <u32>lane) continue;
    addRow(to + <usize>id * bytes, x + <usize>row * bytes, columns);
  }
}

/** Rows of `bytes` from one place to another, each with its own step from row to row: what joins and cuts matrices. */
export function copyRows(lane: i32, lanes: i32, from: usize, fromStep: usize, to: usize, toStep: usize, rows: i32, bytes: usize): void {
  const until = partStart(rows, lane + 1, lanes, 1);
  for (let row = partStart(rows, lane, lanes, 1); row < until; row++) {
    memory.copy(to + <usize>row * toStep, from + <usize>row * fromStep, bytes);
  }
}

/** `count` times the same 4 bytes. */
export function fill(lane: i32, lanes: i32, to: usize, count: i32, value: i32): void {
  const start = partStart(count, lane, lanes, 16);
  const end = partStart(count, lane + 1, lanes, 16);
  const vector = i32x4.splat(value);
  for (let index = start; index < end; index += 4) v128.store(to + (<usize>index << 2), vector);
}
