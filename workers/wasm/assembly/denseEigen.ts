import { partStart } from './lanes';
import { addProduct2, subtractProduct2 } from './multiplyAdd';

// Inner loops of the symmetric eigendecomposition: workers/math/dense/symmetricEigen.ts drives its own, plain, ones.

/**
 * out[row] = sum over columns >= `from` of matrix[row, column] * vector[column], for the lane's rows >= `from` of a full
 * row-major matrix (size, size) whose rows are `stride` doubles apart.
 */
export function trailingProduct(
  lane: i32,
  lanes: i32,
  matrix: usize,
  size: i32,
  stride: i32,
  from: i32,
  vector: usize,
  out: usize,
): void {
  const first = from + partStart(size - from, lane, lanes, 1);
  const last = from + partStart(size - from, lane + 1, lanes, 1);
  for (let row = first; row < last; row++) {
    const base = matrix + <usize>row * (<usize>stride << 3);
    store<f64>(out + (<usize>row << 3), dot(base + (<usize>from << 3), vector + (<usize>from << 3), size - from));
  }
}

function dot(left: usize, right: usize, count: i32): f64 {
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let at: usize = 0;
  const bytes = <usize>count << 3;
  for (; at + 64 <= bytes; at += 64) {
    s0 = addProduct2(s0, v128.load(left + at), v128.load(right + at));
    s1 = addProduct2(s1, v128.load(left + at, 16), v128.load(right + at, 16));
    s2 = addProduct2(s2, v128.load(left + at, 32), v128.load(right + at, 32));
    s3 = addProduct2(s3, v128.load(left + at, 48), v128.load(right + at, 48));
  }
  const s = f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3));
  let sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  for (; at < bytes; at += 8) sum += load<f64>(left + at) * load<f64>(right + at);
  return sum;
}

/** to += factor * values, `count` doubles. */
@inline
function addMultiple(to: usize, values: usize, factor: f64, count: i32): void {
  const f = f64x2.splat(factor);
  let at: usize = 0;
  const bytes = <usize>count << 3;
  for (; at + 16 <= bytes; at += 16) {
    v128.store(to + at, addProduct2(v128.load(to + at), f, v128.load(values + at)));
  }
  for (; at < bytes; at += 8) store<f64>(to + at, load<f64>(to + at) + factor * load<f64>(values + at));
}

/** matrix -= v w' + w v' for the lane's rows and all columns >= `from`. */
export function trailingUpdate(
  lane: i32,
  lanes: i32,
  matrix: usize,
  size: i32,
  stride: i32,
  from: i32,
  v: usize,
  w: usize,
): void {
  const first = from + partStart(size - from, lane, lanes, 1);
  const last = from + partStart(size - from, lane + 1, lanes, 1);
  const bytes = <usize>(size - from) << 3;
  for (let row = first; row < last; row++) {
    const base = matrix + <usize>row * (<usize>stride << 3) + (<usize>from << 3);
    const a = load<f64>(v + (<usize>row << 3));
    const b = load<f64>(w + (<usize>row << 3));
    const a2 = f64x2.splat(a);
    const b2 = f64x2.splat(b);
    const vFrom = v + (<usize>from << 3);
    const wFrom = w + (<usize>from << 3);
    let at: usize = 0;
    for (; at + 16 <= bytes; at += 16) {
      const change = f64x2.add(f64x2.mul(a2, v128.load(wFrom + at)), f64x2.mul(b2, v128.load(vFrom + at)));
      v128.store(base + at, f64x2.sub(v128.load(base + at), change));
    }
    for (; at < bytes; at += 8) {
      store<f64>(base + at, load<f64>(base + at) - (a * load<f64>(wFrom + at) + b * load<f64>(vFrom + at)));
    }
  }
}

/**
 * Applies reflectors to the lane's rows of `tracked` (rows, size): t -= tau (t v) v' for reflector 0, 1, …, `count` - 1
 * when `ascending` is 1, else the other way round. Reflector j is row j of `reflectors`, zero up to and including column j.
 */
export function reflectRows(
  lane: i32,
  lanes: i32,
  tracked: usize,
  rows: i32,
  size: i32,
  reflectors: usize,
  taus: usize,
  count: i32,
  ascending: i32,
): void {
  const first = partStart(rows, lane, lanes, 1);
  const last = partStart(rows, lane + 1, lanes, 1);
  const stride = <usize>size << 3;
  for (let row = first; row < last; row++) {
    const t = tracked + <usize>row * stride;
    for (let step = 0; step < count; step++) {
      const j = ascending ? step : count - 1 - step;
      const tau = load<f64>(taus + (<usize>j << 3));
      if (tau == 0) continue;
      const v = reflectors + <usize>j * stride + (<usize>(j + 1) << 3);
      const at = t + (<usize>(j + 1) << 3);
      const length = size - j - 1;
      addMultiple(at, v, -tau * dot(at, v, length), length);
    }
  }
}

/**
 * Plane rotations of neighbouring rows of `vectors` (size, width), to the lane's columns, as the implicit QL sweeps of
 * EISPACK's `tql2` make them. Sweep i is a pair of words (top, count) at `sweeps`; its k-th pair (cosine, sine) in
 * `rotations`, where those of all sweeps follow each other, turns rows top - k and top - k + 1.
 */
export function rotateRows(
  lane: i32,
  lanes: i32,
  vectors: usize,
  width: i32,
  sweeps: usize,
  sweepCount: i32,
  rotations: usize,
): void {
  const last = <usize>partStart(width, lane + 1, lanes, 2) << 3;
  const stride = <usize>width << 3;
  const end = sweeps + (<usize>sweepCount << 3);
  let from = <usize>partStart(width, lane, lanes, 2) << 3;
  for (; from + 64 <= last; from += 64) rotateFourVectors(vectors + from, stride, sweeps, end, rotations);
  for (; from + 16 <= last; from += 16) rotateOneVector(vectors + from, stride, sweeps, end, rotations);
  if (from < last) rotateOneNumber(vectors + from, stride, sweeps, end, rotations);
}

// The row that one rotation leaves is the higher one of the next, and stays in registers.

function rotateFourVectors(columns: usize, stride: usize, sweeps: usize, end: usize, rotations: usize): void {
  let turn = rotations;
  for (let sweep = sweeps; sweep < end; sweep += 8) {
    const until = turn + (<usize>load<u32>(sweep, 4) << 4);
    let high = columns + (<usize>load<u32>(sweep) + 1) * stride;
    let h0 = v128.load(high);
    let h1 = v128.load(high, 16);
    let h2 = v128.load(high, 32);
    let h3 = v128.load(high, 48);
    for (; turn < until; turn += 16) {
      const c = v128.load64_splat(turn);
      const s = v128.load64_splat(turn, 8);
      const low = high - stride;
      const l0 = v128.load(low);
      v128.store(high, addProduct2(f64x2.mul(s, l0), c, h0));
      h0 = subtractProduct2(f64x2.mul(c, l0), s, h0);
      const l1 = v128.load(low, 16);
      v128.store(high, addProduct2(f64x2.mul(s, l1), c, h1), 16);
      h1 = subtractProduct2(f64x2.mul(c, l1), s, h1);
      const l2 = v128.load(low, 32);
      v128.store(high, addProduct2(f64x2.mul(s, l2), c, h2), 32);
      h2 = subtractProduct2(f64x2.mul(c, l2), s, h2);
      const l3 = v128.load(low, 48);
      v128.store(high, addProduct2(f64x2.mul(s, l3), c, h3), 48);
      h3 = subtractProduct2(f64x2.mul(c, l3), s, h3);
      high = low;
    }
    v128.store(high, h0);
    v128.store(high, h1, 16);
    v128.store(high, h2, 32);
    v128.store(high, h3, 48);
  }
}

function rotateOneVector(columns: usize, stride: usize, sweeps: usize, end: usize, rotations: usize): void {
  let turn = rotations;
  for (let sweep = sweeps; sweep < end; sweep += 8) {
    const until = turn + (<usize>load<u32>(sweep, 4) << 4);
    let high = columns + (<usize>load<u32>(sweep) + 1) * stride;
    let h = v128.load(high);
    for (; turn < until; turn += 16) {
      const c = v128.load64_splat(turn);
      const s = v128.load64_splat(turn, 8);
      const l = v128.load(high - stride);
      v128.store(high, addProduct2(f64x2.mul(s, l), c, h));
      h = subtractProduct2(f64x2.mul(c, l), s, h);
      high -= stride;
    }
    v128.store(high, h);
  }
}

function rotateOneNumber(columns: usize, stride: usize, sweeps: usize, end: usize, rotations: usize): void {
  let turn = rotations;
  for (let sweep = sweeps; sweep < end; sweep += 8) {
    const until = turn + (<usize>load<u32>(sweep, 4) << 4);
    let high = columns + (<usize>load<u32>(sweep) + 1) * stride;
    let h = load<f64>(high);
    for (; turn < until; turn += 16) {
      const c = load<f64>(turn);
      const s = load<f64>(turn, 8);
      const l = load<f64>(high - stride);
      store<f64>(high, s * l + c * h);
      h = c * l - s * h;
      high -= stride;
    }
    store<f64>(high, h);
  }
}
