import { BOOL_TO_FLOAT, BOOL_TO_INT, FLOAT_TO_INT, INT_TO_FLOAT } from '../fields/elementwiseFields';
import { partStart } from './lanes';

/** Elements of one type as another; floats are cut towards 0, NaN becomes 0. */
export function convert(lane: i32, lanes: i32, kind: i32, x: usize, y: usize, count: i32): void {
  const start = partStart(count, lane, lanes, 16);
  const end = partStart(count, lane + 1, lanes, 16);
  for (let index = start; index < end; index += 4) {
    const at = <usize>index << 2;
    let value: v128;
    if (kind == BOOL_TO_FLOAT || kind == BOOL_TO_INT) {
      value = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(x + index)));
    } else value = v128.load(x + at);
    if (kind == BOOL_TO_FLOAT || kind == INT_TO_FLOAT) value = f32x4.convert_i32x4_s(value);
    else if (kind == FLOAT_TO_INT) value = i32x4.trunc_sat_f32x4_s(value);
    v128.store(y + at, value);
  }
}
