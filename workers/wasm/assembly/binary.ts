import * as operation from '../fields/elementwiseFields';
import { partStart, storeFirst } from './lanes';

@inline
function valueOf(kind: i32, a: v128, b: v128): v128 {
  if (kind == operation.ADD) return f32x4.add(a, b);
  if (kind == operation.SUBTRACT) return f32x4.sub(a, b);
  if (kind == operation.MULTIPLY) return f32x4.mul(a, b);
  if (kind == operation.DIVIDE) return f32x4.div(a, b);
  // NaN in either one stays.
  if (kind == operation.MAXIMUM) return f32x4.max(a, b);
  if (kind == operation.MINIMUM) return f32x4.min(a, b);
  const difference = f32x4.sub(a, b);
  return f32x4.mul(difference, difference);
}

/** `count` elements; a step of 0 repeats one element. */
@inline
function line(kind: i32, a: usize, b: usize, to: usize, count: i32, aStep: i32, bStep: i32): void {
  const whole = count & ~3;
  const end = to + (<usize>whole << 2);
  if (aStep == 1 && bStep == 1) {
    while (to < end) {
      v128.store(to, valueOf(kind, v128.load(a), v128.load(b)));
      a += 16;
      b += 16;
      to += 16;
    }
  } else if (aStep == 1) {
    const y = v128.load32_splat(b);
    while (to < end) {
      v128.store(to, valueOf(kind, v128.load(a), y));
      a += 16;
      to += 16;
    }
  } else if (bStep == 1) {
    const x = v128.load32_splat(a);
    while (to < end) {
      v128.store(to, valueOf(kind, x, v128.load(b)));
      b += 16;
      to += 16;
    }
  } else {
    const value = valueOf(kind, v128.load32_splat(a), v128.load32_splat(b));
    while (to < end) {
      v128.store(to, value);
      to += 16;
    }
  }
  if (count != whole) {
    const x = aStep == 1 ? v128.load(a) : v128.load32_splat(a);
    const y = bStep == 1 ? v128.load(b) : v128.load32_splat(b);
    storeFirst(to, valueOf(kind, x, y), count - whole);
  }
}

/** All lines of one lane. */
@inline
function lines(
  kind: i32, a: usize, b: usize, to: usize, from: i32, until: i32, start: i32, count: i32, whole: i32, middle: i32,
  aOuter: i32, aMiddle: i32, aStep: i32, bOuter: i32, bMiddle: i32, bStep: i32,
): void {
  for (let index = from; index < until; index++) {
    const outer = index / middle;
    const between = index - outer * middle;
    const x = a + (<usize>(outer * aOuter + between * aMiddle + start * aStep) << 2);
    const y = b + (<usize>(outer * bOuter + between * bMiddle + start * bStep) << 2);
    line(kind, x, y, to + ((<usize>index * whole + start) << 2), count, aStep, bStep);
  }
}

/**
 * to (outer, middle, inner) = a ∘ b, floats; each operand has steps (in elements) for the three dimensions, 0 where it is
 * repeated, and 0 or 1 for the innermost.
 */
export function binary(
  lane: i32, lanes: i32, kind: i32, a: usize, b: usize, to: usize, outer: i32, middle: i32, inner: i32,
  aOuter: i32, aMiddle: i32, aStep: i32, bOuter: i32, bMiddle: i32, bStep: i32,
): void {
  const all = outer * middle;
  const byLine = all >= 2 * lanes;
  const from = byLine ? partStart(all, lane, lanes, 1) : 0;
  const until = byLine ? partStart(all, lane + 1, lanes, 1) : all;
  const start = byLine ? 0 : partStart(inner, lane, lanes, 16);
  const count = byLine ? inner : partStart(inner, lane + 1, lanes, 16) - start;
  if (count == 0) return;
  switch (kind) {
    case operation.ADD:
      return lines(operation.ADD, a, b, to, from, until, start, count, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.SUBTRACT:
      return lines(operation.SUBTRACT, a, b, to, from, until, start, count, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.MULTIPLY:
      return lines(operation.MULTIPLY, a, b, to, from, until, start, count, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.DIVIDE:
      return lines(operation.DIVIDE, a, b, to, from, until, start, count, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.MAXIMUM:
      return lines(operation.MAXIMUM, a, b, to, from, until, start, count, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.MINIMUM:
      return lines(operation.MINIMUM, a, b, to, from, until, start, count, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    case operation.SQUARED_DIFFERENCE:
      return lines(operation.SQUARED_DIFFERENCE, a, b, to, from, until, start, count, inner, middle, aOuter, aMiddle, aStep, bOuter, bMiddle, bStep);
    default: unreachable();
  }
}
