import { partStart } from './lanes';
import { addProduct2, subtractProduct2 } from './multiplyAdd';

// Tall matrices kept as blocks of four columns of doubles, each block row-major (rows, 4): what a block Lanczos process
// orthogonalises. Lanes own ranges of rows; sums over rows go to a slot per lane, added in lane order by whoever reads.

/** Rows handled at once, so that the block being worked on stays in the first-level cache. */
const CHUNK: i32 = 256;

/** out[lane] (count, 4, 4) = transposes of the `count` blocks from `basis` on times the block w, over the lane's rows. */
export function projectBlocks(lane: i32, lanes: i32, basis: usize, rows: i32, count: i32, w: usize, out: usize): void {
  const first = partStart(rows, lane, lanes, 4);
  const last = partStart(rows, lane + 1, lanes, 4);
  const blockBytes = <usize>rows << 5;
  const slot = out + ((<usize>lane * <usize>count) << 7);
  memory.fill(slot, 0, <usize>count << 7);
  for (let from = first; from < last; from += CHUNK) {
    const length = <usize>min(last - from, CHUNK) << 5;
    const right = w + (<usize>from << 5);
    let left = basis + (<usize>from << 5);
    let to = slot;
    for (let block = 0; block < count; block++, left += blockBytes, to += 128) projectChunk(left, right, length, to);
  }
}

function projectChunk(left: usize, right: usize, length: usize, to: usize): void {
  let a0 = v128.load(to);
  let a1 = v128.load(to, 16);
  let b0 = v128.load(to, 32);
  let b1 = v128.load(to, 48);
  let c0 = v128.load(to, 64);
  let c1 = v128.load(to, 80);
  let d0 = v128.load(to, 96);
  let d1 = v128.load(to, 112);
  for (let at: usize = 0; at < length; at += 32) {
    const w0 = v128.load(right + at);
    const w1 = v128.load(right + at, 16);
    const a = v128.load64_splat(left + at);
    a0 = addProduct2(a0, a, w0);
    a1 = addProduct2(a1, a, w1);
    const b = v128.load64_splat(left + at, 8);
    b0 = addProduct2(b0, b, w0);
    b1 = addProduct2(b1, b, w1);
    const c = v128.load64_splat(left + at, 16);
    c0 = addProduct2(c0, c, w0);
    c1 = addProduct2(c1, c, w1);
    const d = v128.load64_splat(left + at, 24);
    d0 = addProduct2(d0, d, w0);
    d1 = addProduct2(d1, d, w1);
  }
  v128.store(to, a0);
  v128.store(to, a1, 16);
  v128.store(to, b0, 32);
  v128.store(to, b1, 48);
  v128.store(to, c0, 64);
  v128.store(to, c1, 80);
  v128.store(to, d0, 96);
  v128.store(to, d1, 112);
}

/** w -= the `count` blocks from `basis` on times `coefficients` (count, 4, 4), which are the same for all lanes. */
export function subtractBlocks(
  lane: i32,
  lanes: i32,
  basis: usize,
  rows: i32,
  count: i32,
  w: usize,
  coefficients: usize,
): void {
  const first = partStart(rows, lane, lanes, 4);
  const last = partStart(rows, lane + 1, lanes, 4);
  const blockBytes = <usize>rows << 5;
  for (let from = first; from < last; from += CHUNK) {
    const length = <usize>min(last - from, CHUNK) << 5;
    const right = w + (<usize>from << 5);
    let left = basis + (<usize>from << 5);
    let h = coefficients;
    for (let block = 0; block < count; block++, left += blockBytes, h += 128) subtractChunk(left, right, length, h);
  }
}

function subtractChunk(left: usize, right: usize, length: usize, h: usize): void {
  const a0 = v128.load(h);
  const a1 = v128.load(h, 16);
  const b0 = v128.load(h, 32);
  const b1 = v128.load(h, 48);
  const c0 = v128.load(h, 64);
  const c1 = v128.load(h, 80);
  const d0 = v128.load(h, 96);
  const d1 = v128.load(h, 112);
  for (let at: usize = 0; at < length; at += 32) {
    const a = v128.load64_splat(left + at);
    const b = v128.load64_splat(left + at, 8);
    const c = v128.load64_splat(left + at, 16);
    const d = v128.load64_splat(left + at, 24);
    const s0 = addProduct2(f64x2.mul(a, a0), b, b0);
    const t0 = addProduct2(f64x2.mul(c, c0), d, d0);
    const s1 = addProduct2(f64x2.mul(a, a1), b, b1);
    const t1 = addProduct2(f64x2.mul(c, c1), d, d1);
    v128.store(right + at, f64x2.sub(v128.load(right + at), f64x2.add(s0, t0)));
    v128.store(right + at, f64x2.sub(v128.load(right + at, 16), f64x2.add(s1, t1)), 16);
  }
}

/**
 * `blocks` blocks at `out` = the `count` blocks at `basis` times `tiles` (blocks, count, 4, 4). `out` and `basis` do not
 * overlap, or are one block.
 */
export function combineBlocks(
  lane: i32,
  lanes: i32,
  basis: usize,
  rows: i32,
  count: i32,
  tiles: usize,
  blocks: i32,
  out: usize,
): void {
  const first = <usize>partStart(rows, lane, lanes, 4) << 5;
  const last = <usize>partStart(rows, lane + 1, lanes, 4) << 5;
  const blockBytes = <usize>rows << 5;
  for (let at = first; at < last; at += 64) {
    const pair = at + 32 < last;
    const second: usize = pair ? 32 : 0;
    for (let block = 0; block < blocks; block++) {
      let s = tiles + ((<usize>block * <usize>count) << 7);
      let p0 = f64x2.splat(0);
      let p1 = p0;
      let q0 = p0;
      let q1 = p0;
      let left = basis + at;
      for (let i = 0; i < count; i++, s += 128, left += blockBytes) {
        for (let column: usize = 0; column < 4; column++) {
          const s0 = v128.load(s + (column << 5));
          const s1 = v128.load(s + (column << 5), 16);
          const p = v128.load64_splat(left + (column << 3));
          const q = v128.load64_splat(left + second + (column << 3));
          p0 = addProduct2(p0, p, s0);
          p1 = addProduct2(p1, p, s1);
          q0 = addProduct2(q0, q, s0);
          q1 = addProduct2(q1, q, s1);
        }
      }
      const to = out + <usize>block * blockBytes + at;
      if (pair) {
        v128.store(to, q0, 32);
        v128.store(to, q1, 48);
      }
      v128.store(to, p0);
      v128.store(to, p1, 16);
    }
  }
}

/** out[lane] (4) = sums of squares of the columns of y - x diag(shifts) over the lane's rows. */
export function shiftedSquares(lane: i32, lanes: i32, rows: i32, x: usize, y: usize, shifts: usize, out: usize): void {
  const first = <usize>partStart(rows, lane, lanes, 4) << 5;
  const last = <usize>partStart(rows, lane + 1, lanes, 4) << 5;
  const l0 = v128.load(shifts);
  const l1 = v128.load(shifts, 16);
  let s0 = f64x2.splat(0);
  let s1 = s0;
  for (let at = first; at < last; at += 32) {
    const r0 = subtractProduct2(v128.load(y + at), l0, v128.load(x + at));
    const r1 = subtractProduct2(v128.load(y + at, 16), l1, v128.load(x + at, 16));
    s0 = addProduct2(s0, r0, r0);
    s1 = addProduct2(s1, r1, r1);
  }
  const to = out + (<usize>lane << 5);
  v128.store(to, s0);
  v128.store(to, s1, 16);
}

/** y = alpha u + beta x + gamma z of `count` doubles (even). */
export function blendBlocks(
  lane: i32,
  lanes: i32,
  count: i32,
  alpha: f64,
  u: usize,
  beta: f64,
  x: usize,
  gamma: f64,
  z: usize,
  y: usize,
): void {
  const first = <usize>partStart(count, lane, lanes, 2) << 3;
  const last = <usize>partStart(count, lane + 1, lanes, 2) << 3;
  const a = f64x2.splat(alpha);
  const b = f64x2.splat(beta);
  const g = f64x2.splat(gamma);
  for (let at = first; at < last; at += 16) {
    let sum = addProduct2(f64x2.mul(a, v128.load(u + at)), b, v128.load(x + at));
    if (gamma != 0) sum = addProduct2(sum, g, v128.load(z + at));
    v128.store(y + at, sum);
  }
}
