import { partStart } from './lanes';
import { addProduct2 } from './multiplyAdd';

// Inverse of a symmetric positive definite matrix by sweeps over blocks of rows: workers/wasm/linearAlgebra/symmetricInverse.ts
// says in which order. Rows are in groups of four, and the matrix is the tiles (4, 4) of its lower triangle, row-major, the
// tiles of a group of rows one behind the other: whoever walks along rows reads memory in its order.
// A column block is groups, too: element (row, k) of a group of four rows and `depth` columns is at 4 k + row.

/** Bytes of a tile. */
const TILE: usize = 128;

@inline
function tileAt(tiles: usize, group: i32, column: i32): usize {
  return tiles + (((<usize>group * <usize>(group + 1)) >> 1) + <usize>column) * TILE;
}

@inline
function elementAt(tiles: usize, row: i32, column: i32): usize {
  return tileAt(tiles, row >> 2, column >> 2) + (<usize>(((row & 3) << 2) + (column & 3)) << 3);
}

@inline
function groupAt(groups: usize, group: i32, depth: i32): usize {
  return groups + ((<usize>group * <usize>depth) << 5);
}

/** The tile at `to` becomes x y' of two groups, or is lessened by it. Two steps in one turn are slower: V8 then keeps sums in memory. */
@inline
function groupProduct(x: usize, y: usize, depth: i32, to: usize, subtracts: bool): void {
  let s00 = f64x2.splat(0);
  let s01 = f64x2.splat(0);
  let s10 = f64x2.splat(0);
  let s11 = f64x2.splat(0);
  let s20 = f64x2.splat(0);
  let s21 = f64x2.splat(0);
  let s30 = f64x2.splat(0);
  let s31 = f64x2.splat(0);
  for (let left = depth; left > 0; left--) {
    const y0 = v128.load(y);
    const y1 = v128.load(y, 16);
    const x0 = v128.load64_splat(x);
    s00 = addProduct2(s00, x0, y0);
    s01 = addProduct2(s01, x0, y1);
    const x1 = v128.load64_splat(x, 8);
    s10 = addProduct2(s10, x1, y0);
    s11 = addProduct2(s11, x1, y1);
    const x2 = v128.load64_splat(x, 16);
    s20 = addProduct2(s20, x2, y0);
    s21 = addProduct2(s21, x2, y1);
    const x3 = v128.load64_splat(x, 24);
    s30 = addProduct2(s30, x3, y0);
    s31 = addProduct2(s31, x3, y1);
    x += 32;
    y += 32;
  }
  finishRow(to, s00, s01, subtracts);
  finishRow(to + 32, s10, s11, subtracts);
  finishRow(to + 64, s20, s21, subtracts);
  finishRow(to + 96, s30, s31, subtracts);
}

@inline
function finishRow(to: usize, left: v128, right: v128, subtracts: bool): void {
  if (subtracts) {
    left = f64x2.sub(v128.load(to), left);
    right = f64x2.sub(v128.load(to, 16), right);
  }
  v128.store(to, left);
  v128.store(to, right, 16);
}

/**
 * Inverts the diagonal block of rows `from` to before `to`, each a multiple of four: its negative in its place, itself as
 * groups at `inverse`. Writes to `failed` the first row whose pivot is not above `floor`, and leaves that pivot on the diagonal.
 * For one lane.
 */
export function sweepPivots(
  lane: i32, lanes: i32, tiles: usize, from: i32, to: i32, floor: f64, inverse: usize, failed: usize,
): void {
  if (lane > 0) return;
  const size = to - from;
  const rowBytes = <usize>size << 3;
  // The whole square, row-major: so every row is changed by vectors.
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const value = load<f64>(elementAt(tiles, from + row, from + column));
      store<f64>(inverse + <usize>row * rowBytes + (<usize>column << 3), value);
      store<f64>(inverse + <usize>column * rowBytes + (<usize>row << 3), value);
    }
  }
  for (let at = 0; at < size; at++) {
    const own = inverse + <usize>at * rowBytes;
    const pivot = load<f64>(own + (<usize>at << 3));
    if (!(pivot > floor)) {
      store<f64>(elementAt(tiles, from + at, from + at), pivot);
      store<i32>(failed, from + at);
      return;
    }
    for (let row = 0; row < size; row++) {
      if (row === at) continue;
      const other = inverse + <usize>row * rowBytes;
      const share = load<f64>(other + (<usize>at << 3)) / pivot;
      const shares = f64x2.splat(share);
      for (let column: usize = 0; column < rowBytes; column += 16) {
        const taken = f64x2.mul(shares, v128.load(own + column));
        v128.store(other + column, f64x2.sub(v128.load(other + column), taken));
      }
      store<f64>(other + (<usize>at << 3), share);
    }
    const turned = f64x2.splat(1 / pivot);
    for (let column: usize = 0; column < rowBytes; column += 16) {
      v128.store(own + column, f64x2.mul(turned, v128.load(own + column)));
    }
    store<f64>(own + (<usize>at << 3), -1 / pivot);
  }
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const value = load<f64>(inverse + <usize>row * rowBytes + (<usize>column << 3));
      store<f64>(elementAt(tiles, from + row, from + column), value);
    }
  }
  for (let row = 0; row < size; row++) {
    const group = groupAt(inverse, row >> 2, size) + (<usize>(row & 3) << 3);
    for (let column = 0; column < size; column++) {
      const value = load<f64>(elementAt(tiles, from + max(row, column), from + min(row, column)));
      store<f64>(group + (<usize>column << 5), -value);
    }
  }
}

@inline
function copyTile(from: usize, to: usize): void {
  memory.copy(to, from, TILE);
}

@inline
function transposeTile(from: usize, to: usize): void {
  for (let half: usize = 0; half < 2; half++, from += 16, to += 64) {
    const a = v128.load(from);
    const b = v128.load(from, 32);
    const c = v128.load(from, 64);
    const d = v128.load(from, 96);
    v128.store(to, v128.shuffle<f64>(a, b, 0, 2));
    v128.store(to, v128.shuffle<f64>(c, d, 0, 2), 16);
    v128.store(to, v128.shuffle<f64>(a, b, 1, 3), 32);
    v128.store(to, v128.shuffle<f64>(c, d, 1, 3), 48);
  }
}

/**
 * W, the columns from `from` to before `to` of the other ones of `size` rows, as groups at `before`; W times the block's inverse
 * as groups at `after`, and in its place in the matrix.
 */
export function sweepColumns(
  lane: i32, lanes: i32, tiles: usize, size: i32, from: i32, to: i32, inverse: usize, before: usize, after: usize,
): void {
  const depth = to - from;
  const blockFrom = from >> 2;
  const blockTo = to >> 2;
  const first = partStart(size, lane, lanes, 4) >> 2;
  const last = partStart(size, lane + 1, lanes, 4) >> 2;
  for (let group = first; group < last; group++) {
    if (group >= blockFrom && group < blockTo) continue;
    const given = groupAt(before, group, depth);
    const made = groupAt(after, group, depth);
    // Of rows above the block the matrix has the transpose: the lower triangle alone is kept. That is how groups have it, too.
    const above = group < blockFrom;
    for (let block = blockFrom, at = given; block < blockTo; block++, at += TILE) {
      if (above) copyTile(tileAt(tiles, block, group), at);
      else transposeTile(tileAt(tiles, group, block), at);
    }
    for (let block = 0, at = made; block < blockTo - blockFrom; block++, at += TILE) {
      groupProduct(groupAt(inverse, block, depth), given, depth, at, false);
    }
    for (let block = blockFrom, at = made; block < blockTo; block++, at += TILE) {
      if (above) copyTile(at, tileAt(tiles, block, group));
      else transposeTile(at, tileAt(tiles, group, block));
    }
  }
}

/** Groups of columns that stay near while rows pass. */
const NEAR: i32 = 8;

/** The lower triangle without the rows and columns from `from` to before `to`, less `after` times the transpose of `before`. */
export function sweepUpdate(
  lane: i32, lanes: i32, tiles: usize, size: i32, from: i32, to: i32, before: usize, after: usize,
): void {
  const depth = to - from;
  const groups = size >> 2;
  const blockFrom = from >> 2;
  const blockTo = to >> 2;
  // The part of a triangle that is above row r grows as r².
  const first = <i32>(<f64>groups * Math.sqrt(<f64>lane / <f64>lanes));
  const last = <i32>(<f64>groups * Math.sqrt(<f64>(lane + 1) / <f64>lanes));
  for (let near = 0; near < last; near += NEAR) {
    for (let row = max(first, near); row < last; row++) {
      if (row >= blockFrom && row < blockTo) continue;
      const x = groupAt(after, row, depth);
      const end = min(near + NEAR, row + 1);
      for (let column = near; column < end; column++) {
        if (column >= blockFrom && column < blockTo) continue;
        groupProduct(x, groupAt(before, column, depth), depth, tileAt(tiles, row, column), true);
      }
    }
  }
}
