// Compiled form of workers/tensor/operations/layerNorm.ts. A row is passed over a few times while it is in the first cache.
import { partStart } from './lanes';
import { addProduct4, productPlus4, subtractProduct4 } from './multiplyAdd';
import { dotRows } from './vectorRows';

@inline
function sum4(x: v128): f32 {
  return f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1) + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3));
}

function sumRow(x: usize, whole: usize, all: usize): f32 {
  let sums = f32x4.splat(0);
  let at: usize = 0;
  for (; at < whole; at += 16) sums = f32x4.add(sums, v128.load(x + at));
  let sum = sum4(sums);
  for (; at < all; at += 4) sum += f32.load(x + at);
  return sum;
}

/** to = x - mean, and the sum of its squares. */
function centreRow(x: usize, mean: f32, to: usize, whole: usize, all: usize): f32 {
  const mean4 = f32x4.splat(mean);
  let squares = f32x4.splat(0);
  let at: usize = 0;
  for (; at < whole; at += 16) {
    const centred = f32x4.sub(v128.load(x + at), mean4);
    squares = addProduct4(squares, centred, centred);
    v128.store(to + at, centred);
  }
  let sum = sum4(squares);
  for (; at < all; at += 4) {
    const centred = f32.load(x + at) - mean;
    sum += centred * centred;
    f32.store(to + at, centred);
  }
  return sum;
}

/** y = (x - mean) / √(variance + epsilon) · gain + bias; `inverse` (rows) keeps 1 / √(variance + epsilon). */
export function layerNormForward(
  lane: i32, lanes: i32, x: usize, gain: usize, bias: usize, y: usize, inverse: usize, rows: i32, columns: i32, epsilon: f32,
): void {
  const whole = <usize>(columns & ~3) << 2;
  const all = <usize>columns << 2;
  const end = partStart(rows, lane + 1, lanes, 1);
  for (let row = partStart(rows, lane, lanes, 1); row < end; row++) {
    const from = x + <usize>row * all;
    const to = y + <usize>row * all;
    const squares = centreRow(from, sumRow(from, whole, all) / <f32>columns, to, whole, all);
    const factor = <f32>1 / sqrt<f32>(squares / <f32>columns + epsilon);
    f32.store(inverse + (<usize>row << 2), factor);
    const factor4 = f32x4.splat(factor);
    let at: usize = 0;
    for (; at < whole; at += 16) {
      const normal = f32x4.mul(v128.load(to + at), factor4);
      v128.store(to + at, productPlus4(normal, v128.load(gain + at), v128.load(bias + at)));
    }
    for (; at < all; at += 4) f32.store(to + at, f32.load(to + at) * factor * f32.load(gain + at) + f32.load(bias + at));
  }
}

/**
 * With n = (x - mean) · inverse and g = upstream · gain: to = inverse (g - mean of g - n · mean of g n). The lane's slot
 * of `parts` (lanes, 2, columns), zeros before, gains the sums of upstream · n and of upstream over its rows.
 */
export function layerNormBackward(
  lane: i32, lanes: i32, x: usize, gain: usize, inverse: usize, upstream: usize, to: usize, parts: usize, scratch: usize,
  rows: i32, columns: i32,
): void {
  const whole = <usize>(columns & ~3) << 2;
  const all = <usize>columns << 2;
  const gainSums = parts + (<usize>lane << 1) * all;
  const biasSums = gainSums + all;
  const normal = scratch + <usize>lane * ((all + 63) & ~63);
  const end = partStart(rows, lane + 1, lanes, 1);
  for (let row = partStart(rows, lane, lanes, 1); row < end; row++) {
    const from = x + <usize>row * all;
    const above = upstream + <usize>row * all;
    const out = to + <usize>row * all;
    const factor = f32.load(inverse + (<usize>row << 2));
    centreRow(from, sumRow(from, whole, all) / <f32>columns, normal, whole, all);
    const factor4 = f32x4.splat(factor);
    let at: usize = 0;
    for (; at < whole; at += 16) {
      const given = v128.load(above + at);
      const n = f32x4.mul(v128.load(normal + at), factor4);
      v128.store(normal + at, n);
      v128.store(out + at, f32x4.mul(given, v128.load(gain + at)));
      v128.store(gainSums + at, addProduct4(v128.load(gainSums + at), given, n));
      v128.store(biasSums + at, f32x4.add(v128.load(biasSums + at), given));
    }
    for (; at < all; at += 4) {
      const given = f32.load(above + at);
      const n = f32.load(normal + at) * factor;
      f32.store(normal + at, n);
      f32.store(out + at, given * f32.load(gain + at));
      f32.store(gainSums + at, f32.load(gainSums + at) + given * n);
      f32.store(biasSums + at, f32.load(biasSums + at) + given);
    }
    finishRow(out, normal, factor, whole, all, columns);
  }
}

/** g becomes factor (g - mean of g - n · mean of g n). */
function finishRow(g: usize, n: usize, factor: f32, whole: usize, all: usize, columns: i32): void {
  const mean = sumRow(g, whole, all) / <f32>columns;
  const slope = dotRows(g, n, columns) / <f32>columns;
  const mean4 = f32x4.splat(mean);
  const slope4 = f32x4.splat(slope);
  const factor4 = f32x4.splat(factor);
  let at: usize = 0;
  for (; at < whole; at += 16) {
    const rest = subtractProduct4(f32x4.sub(v128.load(g + at), mean4), v128.load(n + at), slope4);
    v128.store(g + at, f32x4.mul(rest, factor4));
  }
  for (; at < all; at += 4) f32.store(g + at, factor * (f32.load(g + at) - mean - f32.load(n + at) * slope));
}
