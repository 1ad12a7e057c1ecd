import { GREATEST, LOG_SOFTMAX } from '../fields/elementwiseFields';
import { exp4, log4 } from './floatMath';
import { partStart, storeFirst } from './lanes';
import { reduceRows } from './reduction';

/** e to the (x - greatest), or x - greatest itself, of one row. */
@inline
function shift(x: usize, y: usize, count: i32, greatest: v128, exponential: bool): void {
  for (let at = 0; at < count; at += 4) {
    const shifted = f32x4.sub(v128.load(x + (<usize>at << 2)), greatest);
    const value = exponential ? exp4(shifted) : shifted;
    const to = y + (<usize>at << 2);
    if (count - at >= 4) v128.store(to, value);
    else storeFirst(to, value, count - at);
  }
}

@inline
function scale(y: usize, count: i32, factor: v128): void {
  for (let at = 0; at < count; at += 4) {
    const to = y + (<usize>at << 2);
    const value = f32x4.mul(v128.load(to), factor);
    if (count - at >= 4) v128.store(to, value);
    else storeFirst(to, value, count - at);
  }
}

/** y (rows, columns) = softmax or its logarithm along the last dimension of x, each row less its greatest element first. */
export function softmax(lane: i32, lanes: i32, kind: i32, x: usize, y: usize, rows: i32, columns: i32): void {
  const until = partStart(rows, lane + 1, lanes, 1);
  for (let row = partStart(rows, lane, lanes, 1); row < until; row++) {
    const from = x + ((<usize>row * columns) << 2);
    const to = y + ((<usize>row * columns) << 2);
    reduceRows(0, 1, GREATEST, from, to, 1, columns, 1);
    let greatest = v128.load32_splat(to);
    shift(from, to, columns, greatest, true);
    const total = sumOf(to, columns);
    if (kind == LOG_SOFTMAX) {
      greatest = f32x4.add(greatest, log4(f32x4.splat(total)));
      shift(from, to, columns, greatest, false);
    } else scale(to, columns, f32x4.splat(1 / total));
  }
}

/** Summed in doubles: a row may be long. */
function sumOf(y: usize, count: i32): f32 {
  let sum = f64x2.splat(0);
  let rest: f64 = 0;
  const whole = count & ~3;
  for (let at = 0; at < whole; at += 4) {
    const value = v128.load(y + (<usize>at << 2));
    sum = f64x2.add(sum, f64x2.promote_low_f32x4(value));
    sum = f64x2.add(sum, f64x2.promote_low_f32x4(v128.shuffle<f32>(value, value, 2, 3, 0, 1)));
  }
  for (let at = whole; at < count; at++) rest += <f64>f32.load(y + (<usize>at << 2));
  return <f32>(f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1) + rest);
}
