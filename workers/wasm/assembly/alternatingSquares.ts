// Rows of alternating least squares. Reference: the normal equations in test/unit/models/ials.test.ts.

import { addProduct2 } from './multiplyAdd';

/** to += factor × from, both of `count` doubles. */
function addScaledDoubles(to: usize, from: usize, factor: f64, count: i32): void {
  const whole = <usize>(count & ~1) << 3;
  const factor2 = f64x2.splat(factor);
  for (let at: usize = 0; at < whole; at += 16) {
    v128.store(to + at, addProduct2(v128.load(to + at), factor2, v128.load(from + at)));
  }
  if (count & 1) store<f64>(to + whole, load<f64>(to + whole) + factor * load<f64>(from + whole));
}

/** Sum of the products of `count` doubles. */
function dotDoubles(a: usize, b: usize, count: i32): f64 {
  const whole = <usize>(count & ~1) << 3;
  let sums = f64x2.splat(0);
  for (let at: usize = 0; at < whole; at += 16) {
    sums = addProduct2(sums, v128.load(a + at), v128.load(b + at));
  }
  const sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
  return count & 1 ? sum + load<f64>(a + whole) * load<f64>(b + whole) : sum;
}

/**
 * For each of the rows `first` to before `last`: solves (G + Σ h h' + r I) x = Σ h over the rows h of `others` (…, d) that
 * `columns` names from `offsets[row]` on, G = `gram` (d, d), r = `ridges[row]`; x to `solved` (rows, d). `scratch` has d² doubles for
 * each lane. A lane has every lanes-th row.
 */
export function squaresRows(
  lane: i32, lanes: i32, gram: usize, others: usize, offsets: usize, columns: usize, ridges: usize, first: i32, last: i32,
  dimension: i32, scratch: usize, solved: usize,
): void {
  const bytes = <usize>dimension << 3;
  const matrix = scratch + <usize>lane * bytes * <usize>dimension;
  for (let row = first + lane; row < last; row += lanes) {
    const x = solved + <usize>row * bytes;
    memory.fill(x, 0, bytes);
    memory.copy(matrix, gram, bytes * <usize>dimension);
    const ridge = load<f64>(ridges + (<usize>row << 3));
    for (let d = 0; d < dimension; d++) {
      const diagonal = matrix + <usize>d * (bytes + 8);
      store<f64>(diagonal, load<f64>(diagonal) + ridge);
    }
    const end = load<u32>(offsets + (<usize>row << 2), 4);
    for (let at = load<u32>(offsets + (<usize>row << 2)); at < end; at++) {
      const other = others + <usize>load<u32>(columns + (<usize>at << 2)) * bytes;
      addScaledDoubles(x, other, 1, dimension);
      for (let d = 0; d < dimension; d++) {
        addScaledDoubles(matrix + <usize>d * bytes, other, load<f64>(other + (<usize>d << 3)), d + 1);
      }
    }
    // L L' in place of the lower triangle, then L y = x and L' x = y
    for (let i = 0; i < dimension; i++) {
      const own = matrix + <usize>i * bytes;
      for (let j = 0; j <= i; j++) {
        const at = own + (<usize>j << 3);
        const rest = load<f64>(at) - dotDoubles(own, matrix + <usize>j * bytes, j);
        store<f64>(at, j === i ? sqrt<f64>(rest) : rest / load<f64>(matrix + <usize>j * (bytes + 8)));
      }
      const at = x + (<usize>i << 3);
      store<f64>(at, (load<f64>(at) - dotDoubles(own, x, i)) / load<f64>(own + (<usize>i << 3)));
    }
    for (let i = dimension - 1; i >= 0; i--) {
      const own = matrix + <usize>i * bytes;
      const at = x + (<usize>i << 3);
      const value = load<f64>(at) / load<f64>(own + (<usize>i << 3));
      store<f64>(at, value);
      addScaledDoubles(x, own, -value, i);
    }
  }
}
