import { partStart } from './lanes';

// Cholesky factorisation by blocks of columns, and triangular solves: workers/wasm/linearAlgebra/symmetricInverse.ts says in which order.
// Matrices are row-major doubles; `stride` is the distance of rows in doubles. Reference implementation: workers/math/dense/cholesky.ts.

/** Products of two rows with two others, `count` doubles long: out (4) = a·c, a·d, b·c, b·d. */
@inline
function addDots(a: usize, b: usize, c: usize, d: usize, bytes: usize, out: usize): void {
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    const left = v128.load(a + at);
    const right = v128.load(b + at);
    const up = v128.load(c + at);
    const down = v128.load(d + at);
    s0 = f64x2.add(s0, f64x2.mul(left, up));
    s1 = f64x2.add(s1, f64x2.mul(left, down));
    s2 = f64x2.add(s2, f64x2.mul(right, up));
    s3 = f64x2.add(s3, f64x2.mul(right, down));
  }
  let t0 = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
  let t1 = f64x2.extract_lane(s1, 0) + f64x2.extract_lane(s1, 1);
  let t2 = f64x2.extract_lane(s2, 0) + f64x2.extract_lane(s2, 1);
  let t3 = f64x2.extract_lane(s3, 0) + f64x2.extract_lane(s3, 1);
  for (; at < bytes; at += 8) {
    t0 += load<f64>(a + at) * load<f64>(c + at);
    t1 += load<f64>(a + at) * load<f64>(d + at);
    t2 += load<f64>(b + at) * load<f64>(c + at);
    t3 += load<f64>(b + at) * load<f64>(d + at);
  }
  store<f64>(out, t0);
  store<f64>(out, t1, 8);
  store<f64>(out, t2, 16);
  store<f64>(out, t3, 24);
}

/**
 * The first column whose pivot is not above `floor`, or -1: the Cholesky factor of the square block from `from` to before
 * `to` in place of its lower triangle. The failing pivot stays on the diagonal. For one lane.
 */
export function choleskyBlock(
  lane: i32,
  lanes: i32,
  matrix: usize,
  stride: i32,
  from: i32,
  to: i32,
  floor: f64,
  failed: usize,
): void {
  if (lane > 0) return;
  const bytes = <usize>stride << 3;
  for (let column = from; column < to; column++) {
    const own = matrix + <usize>column * bytes;
    let pivot = load<f64>(own + (<usize>column << 3));
    for (let k = from; k < column; k++) {
      const value = load<f64>(own + (<usize>k << 3));
      pivot -= value * value;
    }
    store<f64>(own + (<usize>column << 3), pivot);
    if (!(pivot > floor)) {
      store<i32>(failed, column);
      return;
    }
    const root = Math.sqrt(pivot);
    store<f64>(own + (<usize>column << 3), root);
    for (let row = column + 1; row < to; row++) {
      const other = matrix + <usize>row * bytes;
      let sum = load<f64>(other + (<usize>column << 3));
      for (let k = from; k < column; k++) sum -= load<f64>(other + (<usize>k << 3)) * load<f64>(own + (<usize>k << 3));
      store<f64>(other + (<usize>column << 3), sum / root);
    }
  }
}

/** Rows >= `to` of the columns from `from` to before `to`: what is left times the inverse of the factored block's transpose. */
export function choleskyPanel(
  lane: i32,
  lanes: i32,
  matrix: usize,
  stride: i32,
  size: i32,
  from: i32,
  to: i32,
): void {
  const bytes = <usize>stride << 3;
  const first = to + partStart(size - to, lane, lanes, 1);
  const last = to + partStart(size - to, lane + 1, lanes, 1);
  for (let row = first; row < last; row++) {
    const own = matrix + <usize>row * bytes;
    for (let column = from; column < to; column++) {
      const other = matrix + <usize>column * bytes;
      let sum = load<f64>(own + (<usize>column << 3));
      for (let k = from; k < column; k++) sum -= load<f64>(own + (<usize>k << 3)) * load<f64>(other + (<usize>k << 3));
      store<f64>(own + (<usize>column << 3), sum / load<f64>(other + (<usize>column << 3)));
    }
  }
}

/** Lower triangle of rows and columns >= `to` less the products of their parts in the columns from `from` to before `to`. */
export function choleskyUpdate(
  lane: i32,
  lanes: i32,
  matrix: usize,
  stride: i32,
  size: i32,
  from: i32,
  to: i32,
  scratch: usize,
): void {
  const bytes = <usize>stride << 3;
  const width = <usize>(to - from) << 3;
  const left = matrix + (<usize>from << 3);
  const out = scratch + (<usize>lane << 6);
  // Pairs of rows in turn, since later rows are longer.
  for (let row = to + 2 * lane; row < size; row += 2 * lanes) {
    const a = left + <usize>row * bytes;
    const b = row + 1 < size ? a + bytes : a;
    for (let column = to; column <= min(row + 1, size - 1); column += 2) {
      const c = left + <usize>column * bytes;
      const d = column + 1 < size ? c + bytes : c;
      addDots(a, b, c, d, width, out);
      take(matrix, bytes, row, column, out, 0);
      if (column + 1 <= row) take(matrix, bytes, row, column + 1, out, 8);
      if (row + 1 < size) {
        take(matrix, bytes, row + 1, column, out, 16);
        if (column + 1 <= row + 1) take(matrix, bytes, row + 1, column + 1, out, 24);
      }
    }
  }
}

@inline
function take(matrix: usize, bytes: usize, row: i32, column: i32, out: usize, at: usize): void {
  if (column > row) return;
  const place = matrix + <usize>row * bytes + (<usize>column << 3);
  store<f64>(place, load<f64>(place) - load<f64>(out + at));
}

/** Columns of a right-hand side that one lane solves for: two rows of them stay in registers. */
const SOLVED: usize = 64;

/**
 * b (size, 8 · lanes) = L⁻¹ b, or L⁻ᵀ b when `transposed`: eight columns on each lane, two rows at a time. Each value is made
 * by the same operations in the same order wherever its row and column stand.
 */
export function triangularSolve(
  lane: i32,
  lanes: i32,
  factor: usize,
  stride: i32,
  size: i32,
  transposed: i32,
  b: usize,
): void {
  const rowBytes = <usize>lanes * SOLVED;
  const own = b + <usize>lane * SOLVED;
  const bytes = <usize>stride << 3;
  // from a row to the next one that is solved for, and in the factor along a row of the triangle
  const onward: isize = transposed ? -1 : 1;
  const along: usize = transposed ? bytes : 8;
  const across: usize = transposed ? 8 : bytes;
  const first: isize = transposed ? size - 1 : 0;
  for (let step = 0; step < size; step += 2) {
    const row = first + onward * <isize>step;
    const alone = step + 1 === size;
    const next = alone ? row : row + onward;
    const to = own + <usize>row * rowBytes;
    const nextTo = own + <usize>next * rowBytes;
    const ownFactors = factor + <usize>row * across;
    const nextFactors = factor + <usize>next * across;
    let a0 = v128.load(to);
    let a1 = v128.load(to, 16);
    let a2 = v128.load(to, 32);
    let a3 = v128.load(to, 48);
    let c0 = v128.load(nextTo);
    let c1 = v128.load(nextTo, 16);
    let c2 = v128.load(nextTo, 32);
    let c3 = v128.load(nextTo, 48);
    let known = first;
    for (let before = 0; before < step; before++, known += onward) {
      const values = own + <usize>known * rowBytes;
      const f = v128.load64_splat(ownFactors + <usize>known * along);
      const g = v128.load64_splat(nextFactors + <usize>known * along);
      let value = v128.load(values);
      a0 = f64x2.sub(a0, f64x2.mul(f, value));
      c0 = f64x2.sub(c0, f64x2.mul(g, value));
      value = v128.load(values, 16);
      a1 = f64x2.sub(a1, f64x2.mul(f, value));
      c1 = f64x2.sub(c1, f64x2.mul(g, value));
      value = v128.load(values, 32);
      a2 = f64x2.sub(a2, f64x2.mul(f, value));
      c2 = f64x2.sub(c2, f64x2.mul(g, value));
      value = v128.load(values, 48);
      a3 = f64x2.sub(a3, f64x2.mul(f, value));
      c3 = f64x2.sub(c3, f64x2.mul(g, value));
    }
    const pivot = v128.load64_splat(ownFactors + <usize>row * along);
    a0 = f64x2.div(a0, pivot);
    a1 = f64x2.div(a1, pivot);
    a2 = f64x2.div(a2, pivot);
    a3 = f64x2.div(a3, pivot);
    v128.store(to, a0);
    v128.store(to, a1, 16);
    v128.store(to, a2, 32);
    v128.store(to, a3, 48);
    if (alone) return;
    const f = v128.load64_splat(nextFactors + <usize>row * along);
    const nextPivot = v128.load64_splat(nextFactors + <usize>next * along);
    v128.store(nextTo, f64x2.div(f64x2.sub(c0, f64x2.mul(f, a0)), nextPivot));
    v128.store(nextTo, f64x2.div(f64x2.sub(c1, f64x2.mul(f, a1)), nextPivot), 16);
    v128.store(nextTo, f64x2.div(f64x2.sub(c2, f64x2.mul(f, a2)), nextPivot), 32);
    v128.store(nextTo, f64x2.div(f64x2.sub(c3, f64x2.mul(f, a3)), nextPivot), 48);
  }
}
