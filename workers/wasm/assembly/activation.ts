// Compiled form of workers/tensor/operations/activation.ts, which gives the formulas.
import {
  DEVIATION_KIND, ELU_KIND, GELU_KIND, GELU_TANH_KIND, LEAKY_KIND, RELU_KIND, VARIANCE_KIND,
} from '../fields/activationFields';
import { erf4, exp4, tanh4 } from './floatMath';
import { partStart } from './lanes';

const ROOT_HALF: f32 = 0.7071067811865476;
/** 1 / √(2 π) */
const DENSITY: f32 = 0.3989422804014327;
/** √(2 / π) */
const SLOPE: f32 = 0.7978845608028654;
const CUBIC: f32 = 0.044715;
/** Slope of the leaky rectifier below 0. */
const LEAK: f32 = 0.2;

@inline
function scaled(x: v128, factor: f32): v128 {
  return f32x4.mul(x, f32x4.splat(factor));
}

@inline
function plusOne(x: v128): v128 {
  return f32x4.add(x, f32x4.splat(1));
}

@inline
function positive(x: v128): v128 {
  return f32x4.pmax(x, f32x4.splat(0));
}

@inline
function negative(x: v128): v128 {
  return f32x4.pmin(x, f32x4.splat(0));
}

@inline
function value4(kind: i32, x: v128): v128 {
  if (kind == RELU_KIND) return positive(x);
  if (kind == LEAKY_KIND) return f32x4.pmax(x, scaled(x, LEAK));
  if (kind == VARIANCE_KIND) return f32x4.add(positive(x), exp4(negative(x)));
  if (kind == ELU_KIND) return f32x4.add(positive(x), f32x4.sub(exp4(negative(x)), f32x4.splat(1)));
  if (kind == DEVIATION_KIND) return f32x4.mul(f32x4.sqrt(plusOne(positive(x))), exp4(scaled(negative(x), 0.5)));
  const half = scaled(x, 0.5);
  if (kind == GELU_KIND) return f32x4.mul(half, plusOne(erf4(scaled(x, ROOT_HALF))));
  const inner = scaled(f32x4.mul(x, plusOne(scaled(f32x4.mul(x, x), CUBIC))), SLOPE);
  return f32x4.mul(half, plusOne(tanh4(inner)));
}

@inline
function slope4(kind: i32, x: v128): v128 {
  if (kind == RELU_KIND) return v128.and(f32x4.splat(1), f32x4.gt(x, f32x4.splat(0)));
  if (kind == LEAKY_KIND) return v128.bitselect(f32x4.splat(1), f32x4.splat(LEAK), f32x4.gt(x, f32x4.splat(0)));
  if (kind == VARIANCE_KIND || kind == ELU_KIND) return exp4(negative(x));
  if (kind == DEVIATION_KIND) {
    return scaled(f32x4.div(exp4(scaled(negative(x), 0.5)), f32x4.sqrt(plusOne(positive(x)))), 0.5);
  }
  const square = f32x4.mul(x, x);
  if (kind == GELU_KIND) {
    const density = scaled(exp4(scaled(square, -0.5)), DENSITY);
    return f32x4.add(scaled(plusOne(erf4(scaled(x, ROOT_HALF))), 0.5), f32x4.mul(x, density));
  }
  const t = tanh4(scaled(f32x4.mul(x, plusOne(scaled(square, CUBIC))), SLOPE));
  const inner = scaled(plusOne(scaled(square, 3 * CUBIC)), SLOPE);
  const bend = f32x4.mul(f32x4.sub(f32x4.splat(1), f32x4.mul(t, t)), inner);
  return f32x4.add(scaled(plusOne(t), 0.5), f32x4.mul(scaled(x, 0.5), bend));
}

@inline
function forward(kind: i32, x: usize, y: usize, end: usize): void {
  for (; x < end; x += 16, y += 16) v128.store(y, value4(kind, v128.load(x)));
}

@inline
function backward(kind: i32, x: usize, upstream: usize, to: usize, end: usize): void {
  for (; x < end; x += 16, upstream += 16, to += 16) {
    v128.store(to, f32x4.mul(v128.load(upstream), slope4(kind, v128.load(x))));
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
