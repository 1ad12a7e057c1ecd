import * as operation from '../fields/elementwiseFields';
import { partStart } from './lanes';

@inline
function holds(kind: i32, a: f32, b: f32): bool {
  if (kind == operation.GREATER) return a > b;
  if (kind == operation.GREATER_EQUAL) return a >= b;
  if (kind == operation.LESS) return a < b;
  if (kind == operation.LESS_EQUAL) return a <= b;
  if (kind == operation.EQUAL) return a == b;
  return a != b;
}

@inline
function lines(
  kind: i32, a: usize, b: usize, to: usize, from: i32, until: i32, inner: i32, middle: i32,
  aOuter: i32, aMiddle: i32, aStep: i32, bOuter: i32, bMiddle: i32, bStep: i32,
): void {
  for (let index = from; index < until; index++) {
    const outer = index / middle;
    const between = index - outer * middle;
    let x = a + (<usize>(outer * aOuter + between * aMiddle) << 2);
    let y = b + (<usize>(outer * bOuter + between * bMiddle) << 2);
    const at = to + <usize>index * inner;
    for (let column = 0; column < inner; column++) {
      store<u8>(at + column, holds(kind, f32.load(x), f32.load(y)));
      x += <usize>aStep << 2;
      y += <usize>bStep << 2;
    }
  }
}

/** As `binary`, of floats, but the results are bytes: 1 where the comparison holds. */
export function compare(
  lane: i32, lanes: i32, kind: i32, a: usize, b: usize, to: usize, outer: i32, middle: i32, inner: i32,
  aOuter: i32, aMiddle: i32, aStep: i32, bOuter: i32, bMiddle: i32, bStep: i32,
): void {
  const from = partStart(outer * middle, lane, lanes, 1);
  const until = partStart(outer * middle, lane + 1, lanes, 1);
  switch (kind) {
    case operation.GREATER:
      return lines(operation.GREATER, a, b, to, from, until, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.GREATER_EQUAL:
      return lines(operation.GREATER_EQUAL, a, b, to, from, until, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.LESS:
      return lines(operation.LESS, a, b, to, from, until, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.LESS_EQUAL:
      return lines(operation.LESS_EQUAL, a, b, to, from, until, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.EQUAL:
      return lines(operation.EQUAL, a, b, to, from, until, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.NOT_EQUAL:
      return lines(operation.NOT_EQUAL, a, b, to, from, until, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    default: unreachable();
  }
}

/** to = where(condition, a, b), element by element; conditions are bytes. */
export function select(lane: i32, lanes: i32, condition: usize, a: usize, b: usize, to: usize, count: i32): void {
  const start = partStart(count, lane, lanes, 16);
  const end = partStart(count, lane + 1, lanes, 16);
  for (let index = start; index < end; index += 4) {
    const at = <usize>index << 2;
    const bytes = v128.load32_zero(condition + index);
    const words = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
    const mask = i32x4.ne(words, i32x4.splat(0));
    v128.store(to + at, v128.bitselect(v128.load(a + at), v128.load(b + at), mask));
  }
}
