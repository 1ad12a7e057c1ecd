// Compiled form of workers/tensor/operations/activation.ts, which gives the formulas.
import {
  DEVIATION_KIND, ELU_KIND, GELU_KIND, GELU_TANH_KIND, LEAKY_KIND, RELU_KIND, VARIANCE_KIND,
} from '../fields/activationFields';
import { four } from './constants';
import { erf4, exp4, tanh4 } from './floatMath';
import { partStart } from './lanes';
import { addProduct4, subtractProduct4 } from './multiplyAdd';

// Places of constants, for `four`.
const ZERO: usize = memory.data<f32>([0]);
const ONE: usize = memory.data<f32>([1]);
const HALF: usize = memory.data<f32>([0.5]);
const MINUS_HALF: usize = memory.data<f32>([-0.5]);
const ROOT_HALF: usize = memory.data<f32>([0.7071067811865476]);
/** 1 / √(2 π) */
const DENSITY: usize = memory.data<f32>([0.3989422804014327]);
/** √(2 / π) */
const SLOPE: usize = memory.data<f32>([0.7978845608028654]);
const CUBIC: usize = memory.data<f32>([0.044715]);
const TRIPLE_CUBIC: usize = memory.data<f32>([3 * 0.044715]);
/** Slope of the leaky rectifier below 0. */
const LEAK: usize = memory.data<f32>([0.2]);

@inline
function scaled(x: v128, factor: usize): v128 {
  return f32x4.mul(x, four(factor));
}

@inline
function plusOne(x: v128): v128 {
  return f32x4.add(x, four(ONE));
}

@inline
function positive(x: v128): v128 {
  return f32x4.pmax(x, four(ZERO));
}

@inline
function negative(x: v128): v128 {
  return f32x4.pmin(x, four(ZERO));
}

@inline
function value4(kind: i32, x: v128): v128 {
  if (kind == RELU_KIND) return positive(x);
  if (kind == LEAKY_KIND) return f32x4.pmax(x, scaled(x, LEAK));
  if (kind == VARIANCE_KIND) return f32x4.add(positive(x), exp4(negative(x)));
  if (kind == ELU_KIND) return f32x4.add(positive(x), f32x4.sub(exp4(negative(x)), four(ONE)));
  if (kind == DEVIATION_KIND) return f32x4.mul(f32x4.sqrt(plusOne(positive(x))), exp4(scaled(negative(x), HALF)));
  const half = scaled(x, HALF);
  if (kind == GELU_KIND) return f32x4.mul(half, plusOne(erf4(scaled(x, ROOT_HALF))));
  const inner = scaled(f32x4.mul(x, plusOne(scaled(f32x4.mul(x, x), CUBIC))), SLOPE);
  return f32x4.mul(half, plusOne(tanh4(inner)));
}

@inline
function slope4(kind: i32, x: v128): v128 {
  if (kind == RELU_KIND) return v128.and(four(ONE), f32x4.gt(x, four(ZERO)));
  if (kind == LEAKY_KIND) return v128.bitselect(four(ONE), four(LEAK), f32x4.gt(x, four(ZERO)));
  if (kind == VARIANCE_KIND || kind == ELU_KIND) return exp4(negative(x));
  if (kind == DEVIATION_KIND) {
    return scaled(f32x4.div(exp4(scaled(negative(x), HALF)), f32x4.sqrt(plusOne(positive(x)))), HALF);
  }
  const square = f32x4.mul(x, x);
  if (kind == GELU_KIND) {
    const density = scaled(exp4(scaled(square, MINUS_HALF)), DENSITY);
    return addProduct4(scaled(plusOne(erf4(scaled(x, ROOT_HALF))), HALF), x, density);
  }
  const t = tanh4(scaled(f32x4.mul(x, plusOne(scaled(square, CUBIC))), SLOPE));
  const inner = scaled(plusOne(scaled(square, TRIPLE_CUBIC)), SLOPE);
  const bend = f32x4.mul(subtractProduct4(four(ONE), t, t), inner);
  return addProduct4(scaled(plusOne(t), HALF), scaled(x, HALF), bend);
}

// Two vectors at once, for which constants are read once. Blocks of the heap are multiples of 64 bytes: the last may go past the end.

@inline
function forward(kind: i32, x: usize, y: usize, end: usize): void {
  for (; x < end; x += 32, y += 32) {
    const first = value4(kind, v128.load(x));
    const second = value4(kind, v128.load(x, 16));
    v128.store(y, first);
    v128.store(y, second, 16);
  }
}

@inline
function backward(kind: i32, x: usize, upstream: usize, to: usize, end: usize): void {
  for (; x < end; x += 32, upstream += 32, to += 32) {
    const first = slope4(kind, v128.load(x));
    const second = slope4(kind, v128.load(x, 16));
    v128.store(to, f32x4.mul(v128.load(upstream), first));
    v128.store(to, f32x4.mul(v128.load(upstream, 16), second), 16);
  }
}

/** y = f(x) of `count` floats; `kind` is of `activationFields.ts`. */
export function activationForward(lane: i32, lanes: i32, kind: i32, x: usize, y: usize, count: i32): void {
  const start = <usize>partStart(count, lane, lanes, 16) << 2;
  const end = x + (<usize>partStart(count, lane + 1, lanes, 16) << 2);
  if (kind == RELU_KIND) forward(RELU_KIND, x + start, y + start, end);
  else if (kind == GELU_KIND) forward(GELU_KIND, x + start, y + start, end);
  else if (kind == ELU_KIND) forward(ELU_KIND, x + start, y + start, end);
  else if (kind == LEAKY_KIND) forward(LEAKY_KIND, x + start, y + start, end);
  else if (kind == VARIANCE_KIND) forward(VARIANCE_KIND, x + start, y + start, end);
  else if (kind == DEVIATION_KIND) forward(DEVIATION_KIND, x + start, y + start, end);
  else forward(GELU_TANH_KIND, x + start, y + start, end);
}

/** to = upstream · f'(x). For RELU_KIND x may be the value just as well. */
export function activationBackward(
  lane: i32, lanes: i32, kind: i32, x: usize, upstream: usize, to: usize, count: i32,
): void {
  const start = <usize>partStart(count, lane, lanes, 16) << 2;
  const end = x + (<usize>partStart(count, lane + 1, lanes, 16) << 2);
  if (kind == RELU_KIND) backward(RELU_KIND, x + start, upstream + start, to + start, end);
  else if (kind == GELU_KIND) backward(GELU_KIND, x + start, upstream + start, to + start, end);
  else if (kind == ELU_KIND) backward(ELU_KIND, x + start, upstream + start, to + start, end);
  else if (kind == LEAKY_KIND) backward(LEAKY_KIND, x + start, upstream + start, to + start, end);
  else if (kind == VARIANCE_KIND) backward(VARIANCE_KIND, x + start, upstream + start, to + start, end);
  else if (kind == DEVIATION_KIND) backward(DEVIATION_KIND, x + start, upstream + start, to + start, end);
  else backward(GELU_TANH_KIND, x + start, upstream + start, to + start, end);
}
