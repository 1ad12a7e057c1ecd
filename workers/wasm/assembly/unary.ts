import * as operation from '../fields/elementwiseFields';
import { exp4, log4, sigmoid4, softplus4, tanh4 } from './floatMath';
import { partStart } from './lanes';

@inline
function valueOf(kind: i32, x: v128, parameter: v128): v128 {
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  if (kind == operation.NEGATE) return f32x4.neg(x);
  if (kind == operation.EXPONENTIAL) return exp4(x);
  if (kind == operation.LOGARITHM) return log4(x);
  if (kind == operation.SQUARE_ROOT) return f32x4.sqrt(x);
  if (kind == operation.RECIPROCAL_SQUARE_ROOT) return f32x4.div(one, f32x4.sqrt(x));
  if (kind == operation.SQUARE) return f32x4.mul(x, x);
  if (kind == operation.TANH) return tanh4(x);
  if (kind == operation.SIGMOID) return sigmoid4(x);
  if (kind == operation.RELU) return f32x4.pmax(x, zero);
  if (kind == operation.STEP) {
    const value = v128.bitselect(one, parameter, f32x4.gt(x, zero));
    return v128.bitselect(value, x, f32x4.eq(x, x));
  }
  if (kind == operation.ABSOLUTE) return f32x4.abs(x);
  if (kind == operation.RECIPROCAL) return f32x4.div(one, x);
  return softplus4(x);
}

/** Blocks of the heap are multiples of 64 bytes, so that a last vector may go past the last element. */
@inline
function loop(kind: i32, x: usize, y: usize, count: i32, parameter: v128): void {
  const end = x + (<usize>count << 2);
  while (x < end) {
    v128.store(y, valueOf(kind, v128.load(x), parameter));
    x += 16;
    y += 16;
  }
}

/** y = f(x) of `count` floats; `kind` is of `elementwiseFields.ts`; x and y may be the same. */
export function unary(lane: i32, lanes: i32, kind: i32, x: usize, y: usize, count: i32, parameter: f32): void {
  const start = partStart(count, lane, lanes, 16);
  const part = partStart(count, lane + 1, lanes, 16) - start;
  x += <usize>start << 2;
  y += <usize>start << 2;
  const given = f32x4.splat(parameter);
  switch (kind) {
    case operation.NEGATE: return loop(operation.NEGATE, x, y, part, given);
    case operation.EXPONENTIAL: return loop(operation.EXPONENTIAL, x, y, part, given);
    case operation.LOGARITHM: return loop(operation.LOGARITHM, x, y, part, given);
    case operation.SQUARE_ROOT: return loop(operation.SQUARE_ROOT, x, y, part, given);
    case operation.RECIPROCAL_SQUARE_ROOT: return loop(operation.RECIPROCAL_SQUARE_ROOT, x, y, part, given);
    case operation.SQUARE: return loop(operation.SQUARE, x, y, part, given);
    case operation.TANH: return loop(operation.TANH, x, y, part, given);
    case operation.SIGMOID: return loop(operation.SIGMOID, x, y, part, given);
    case operation.RELU: return loop(operation.RELU, x, y, part, given);
    case operation.STEP: return loop(operation.STEP, x, y, part, given);
    case operation.ABSOLUTE: return loop(operation.ABSOLUTE, x, y, part, given);
    case operation.RECIPROCAL: return loop(operation.RECIPROCAL, x, y, part, given);
    case operation.SOFTPLUS: return loop(operation.SOFTPLUS, x, y, part, given);
    default: unreachable();
  }
}
