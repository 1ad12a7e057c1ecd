// Compiled form of workers/tensor/operations/adamVariation.ts. Every row on its own, so lanes change no bits.
import { partStart } from './lanes';

/**
 * Running means of Adam on `rows` × `columns` floats, and the variation first × correction1 / (√(second × correction2 + inside)
 * + outside), which is written to `variation`; the parameter stays. The gradient gains `penalty` × parameter. Rows whose whole
 * gradient is 0 move their means by `idle1` and `idle2` instead of `beta1` and `beta2`.
 */
export function adamVariation(
  lane: i32, lanes: i32, parameter: usize, gradient: usize, first: usize, second: usize, variation: usize,
  rows: i32, columns: i32, beta1: f32, rest1: f32, idle1: f32, beta2: f32, rest2: f32, idle2: f32,
  correction1: f32, correction2: f32, inside: f32, outside: f32, penalty: f32,
): void {
  const until = partStart(rows, lane + 1, lanes, 1);
  const bytes = <usize>columns << 2;
  const whole = <usize>(columns & ~3) << 2;
  for (let row = partStart(rows, lane, lanes, 1); row < until; row++) {
    const start = <usize>row * bytes;
    const active = isActive(gradient + start, columns);
    const decay1 = active ? beta1 : idle1;
    const decay2 = active ? beta2 : idle2;
    let at = start;
    for (; at < start + whole; at += 16) {
      const p = v128.load(parameter + at);
      const g = f32x4.add(v128.load(gradient + at), f32x4.mul(p, f32x4.splat(penalty)));
      const m = f32x4.add(f32x4.mul(v128.load(first + at), f32x4.splat(decay1)), f32x4.mul(g, f32x4.splat(rest1)));
      const square = f32x4.mul(f32x4.mul(g, g), f32x4.splat(rest2));
      const v = f32x4.add(f32x4.mul(v128.load(second + at), f32x4.splat(decay2)), square);
      v128.store(first + at, m);
      v128.store(second + at, v);
      const root = f32x4.sqrt(f32x4.add(f32x4.mul(v, f32x4.splat(correction2)), f32x4.splat(inside)));
      const divisor = f32x4.add(root, f32x4.splat(outside));
      v128.store(variation + at, f32x4.div(f32x4.mul(m, f32x4.splat(correction1)), divisor));
    }
    for (; at < start + bytes; at += 4) {
      const g: f32 = load<f32>(gradient + at) + load<f32>(parameter + at) * penalty;
      const m: f32 = load<f32>(first + at) * decay1 + g * rest1;
      const v: f32 = load<f32>(second + at) * decay2 + g * g * rest2;
      store<f32>(first + at, m);
      store<f32>(second + at, v);
      store<f32>(variation + at, (m * correction1) / (sqrt<f32>(v * correction2 + inside) + outside));
    }
  }
}

/** Whether any of `count` floats is not 0. */
function isActive(from: usize, count: i32): bool {
  const end = from + (<usize>count << 2);
  const whole = from + (<usize>(count & ~3) << 2);
  let at = from;
  const zero = f32x4.splat(0);
  for (; at < whole; at += 16) if (v128.any_true(f32x4.ne(v128.load(at), zero))) return true;
  for (; at < end; at += 4) if (load<f32>(at) != 0) return true;
  return false;
}
