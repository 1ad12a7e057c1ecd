// Compiled form of workers/tensor/operations/adamUpdate.ts and sgdUpdate.ts. Every element on its own, so lanes change no bits.
import { partStart } from './lanes';

/** Elements of one lane's part begin at multiples of this: whole cache lines. */
const UNIT: i32 = 16;

/**
 * Adam or AdamW on `count` floats: the gradient gains `penalty` × parameter, the running means first and second move by
 * `rest1` and `rest2` = 1 - beta, and parameter = `kept` × parameter - `rate` × (first × correction1) / (√second × correction2
 * + epsilon). Where `variation` is not 0 the fraction is written there and the parameter stays.
 */
export function adamUpdate(
  lane: i32, lanes: i32, parameter: usize, gradient: usize, first: usize, second: usize, variation: usize, count: i32,
  beta1: f32, rest1: f32, beta2: f32, rest2: f32, correction1: f32, correction2: f32, epsilon: f32,
  penalty: f32, kept: f32, rate: f32,
): void {
  const until = <usize>partStart(count, lane + 1, lanes, UNIT) << 2;
  for (let at = <usize>partStart(count, lane, lanes, UNIT) << 2; at < until; at += 16) {
    const p = v128.load(parameter + at);
    const g = f32x4.add(v128.load(gradient + at), f32x4.mul(p, f32x4.splat(penalty)));
    const m = f32x4.add(f32x4.mul(v128.load(first + at), f32x4.splat(beta1)), f32x4.mul(g, f32x4.splat(rest1)));
    const square = f32x4.mul(f32x4.mul(g, g), f32x4.splat(rest2));
    const v = f32x4.add(f32x4.mul(v128.load(second + at), f32x4.splat(beta2)), square);
    v128.store(first + at, m);
    v128.store(second + at, v);
    const root = f32x4.add(f32x4.mul(f32x4.sqrt(v), f32x4.splat(correction2)), f32x4.splat(epsilon));
    const step = f32x4.div(f32x4.mul(m, f32x4.splat(correction1)), root);
    if (variation != 0) v128.store(variation + at, step);
    else v128.store(parameter + at, f32x4.sub(f32x4.mul(p, f32x4.splat(kept)), f32x4.mul(step, f32x4.splat(rate))));
  }
}

/**
 * Gradient descent on `count` floats: b = momentum × buffer + gradient + penalty × parameter, kept in `buffer` where that is
 * not 0; parameter -= rate × b, or, where `variation` is not 0, b is written there and the parameter stays.
 */
export function sgdUpdate(
  lane: i32, lanes: i32, parameter: usize, gradient: usize, buffer: usize, variation: usize, count: i32,
  momentum: f32, penalty: f32, rate: f32,
): void {
  const until = <usize>partStart(count, lane + 1, lanes, UNIT) << 2;
  for (let at = <usize>partStart(count, lane, lanes, UNIT) << 2; at < until; at += 16) {
    const p = v128.load(parameter + at);
    let b = f32x4.add(v128.load(gradient + at), f32x4.mul(p, f32x4.splat(penalty)));
    // At the first step the buffer counts for nothing, whatever it holds.
    if (momentum != 0) b = f32x4.add(f32x4.mul(v128.load(buffer + at), f32x4.splat(momentum)), b);
    if (buffer != 0) v128.store(buffer + at, b);
    if (variation != 0) v128.store(variation + at, b);
    else v128.store(parameter + at, f32x4.sub(p, f32x4.mul(b, f32x4.splat(rate))));
  }
}

/** to = kept × to + scale × from, of `count` floats. */
export function addScaled(lane: i32, lanes: i32, to: usize, from: usize, count: i32, kept: f32, scale: f32): void {
  const until = <usize>partStart(count, lane + 1, lanes, UNIT) << 2;
  for (let at = <usize>partStart(count, lane, lanes, UNIT) << 2; at < until; at += 16) {
    const own = f32x4.mul(v128.load(to + at), f32x4.splat(kept));
    v128.store(to + at, f32x4.add(own, f32x4.mul(v128.load(from + at), f32x4.splat(scale))));
  }
}
