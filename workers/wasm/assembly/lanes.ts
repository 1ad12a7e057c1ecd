/** Where the part of a lane begins when `count` things are split among `lanes`, in multiples of `unit`. */
@inline
export function partStart(count: i32, lane: i32, lanes: i32, unit: i32): i32 {
  const units = (<i64>count + unit - 1) / unit;
  const start = <i32>((units * lane) / lanes) * unit;
  return min(start, count);
}

/** Stores the first `count` (1 to 3) floats of a vector. */
@inline
export function storeFirst(to: usize, value: v128, count: i32): void {
  f32.store(to, f32x4.extract_lane(value, 0));
  if (count > 1) f32.store(to, f32x4.extract_lane(value, 1), 4);
  if (count > 2) f32.store(to, f32x4.extract_lane(value, 2), 8);
}

/** Stores the first `count` floats of a vector, all four where there are as many or more. */
@inline
export function storeUpTo4(to: usize, value: v128, count: i32): void {
  if (count >= 4) v128.store(to, value);
  else storeFirst(to, value, count);
}
