// C = A B, A and B each plain or transposed. Each lane has a block of rows or columns of C (or some of a batch), packs
// blocks of B into panels of 8 columns, and meets them with 4 rows of A in registers.
import { BLOCK_COLUMNS, BLOCK_DEPTH, PACKED_BYTES } from '../fields/matrixFields';
import { partStart } from './lanes';
import { finishRows, hasProductLibrary, productOfLibrary } from './libraryProduct';
import { tile, TILE_COLUMNS, TILE_ROWS } from './matrixTile';

/** Rows of A that stay near while all panels of a block pass. */
const BLOCK_ROWS: i32 = 96;

/** Rows `depth` of B, `columns` wide, into panels; what lies past the columns is not used later, whatever it is. */
export function packPlain(b: usize, bRow: usize, depth: i32, columns: i32, to: usize): void {
  const panelBytes = <usize>depth * TILE_COLUMNS * 4;
  for (let p = 0; p < depth; p++) {
    let from = b;
    let panel = to + <usize>p * TILE_COLUMNS * 4;
    for (let column = 0; column < columns; column += TILE_COLUMNS) {
      v128.store(panel, v128.load(from));
      v128.store(panel, v128.load(from, 16), 16);
      from += TILE_COLUMNS * 4;
      panel += panelBytes;
    }
    b += bRow;
  }
}

/** Four floats of four rows, as four columns. */
@inline
function transpose4(from: usize, r1: usize, r2: usize, r3: usize, to: usize): void {
  const x0 = v128.load(from);
  const x1 = v128.load(r1);
  const x2 = v128.load(r2);
  const x3 = v128.load(r3);
  const low01 = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5);
  const high01 = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
  const low23 = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5);
  const high23 = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f64>(low01, low23, 0, 2));
  v128.store(to, v128.shuffle<f64>(low01, low23, 1, 3), 32);
  v128.store(to, v128.shuffle<f64>(high01, high23, 0, 2), 64);
  v128.store(to, v128.shuffle<f64>(high01, high23, 1, 3), 96);
}

/** As `packPlain` for B that lies transposed: `columns` rows of `depth` floats. */
export function packTransposed(b: usize, bRow: usize, depth: i32, columns: i32, to: usize): void {
  for (let column = 0; column < columns; column += 4) {
    const last = columns - 1 - column;
    const panel = to + <usize>(column & ~7) * depth * 4 + ((column & 4) << 2);
    const r0 = b + <usize>column * bRow;
    const r1 = r0 + <usize>min(1, last) * bRow;
    const r2 = r0 + <usize>min(2, last) * bRow;
    const r3 = r0 + <usize>min(3, last) * bRow;
    let p = 0;
    for (; p + 4 <= depth; p += 4) {
      const at = <usize>p << 2;
      transpose4(r0 + at, r1 + at, r2 + at, r3 + at, panel + (at << 3));
    }
    for (; p < depth; p++) {
      const at = <usize>p << 2;
      const place = panel + (at << 3);
      f32.store(place, f32.load(r0 + at));
      f32.store(place, f32.load(r1 + at), 4);
      f32.store(place, f32.load(r2 + at), 8);
      f32.store(place, f32.load(r3 + at), 12);
    }
  }
}

/** One lane's rectangle of one product. */
function rectangle(
  a: usize, b: usize, c: usize, bias: usize, packed: usize, columns: i32, depth: i32,
  aRow: usize, aInner: usize, bTransposed: bool, bRow: usize, activation: i32,
  fromRow: i32, toRow: i32, fromColumn: i32, toColumn: i32,
): void {
  const cRow = <usize>columns << 2;
  if (hasProductLibrary) {
    const to = c + <usize>fromRow * cRow + (<usize>fromColumn << 2);
    const right = b + (bTransposed ? <usize>fromColumn * bRow : <usize>fromColumn << 2);
    productOfLibrary(a + <usize>fromRow * aRow, aRow, aInner, right, bRow, bTransposed, to, cRow, toRow - fromRow, toColumn - fromColumn, depth, true);
    finishRows(to, cRow, toRow - fromRow, toColumn - fromColumn, bias == 0 ? 0 : bias + (<usize>fromColumn << 2), activation);
    return;
  }
  for (let column = fromColumn; column < toColumn; column += BLOCK_COLUMNS) {
    const width = min(BLOCK_COLUMNS, toColumn - column);
    for (let inner = 0; inner < depth; inner += BLOCK_DEPTH) {
      const deep = min(BLOCK_DEPTH, depth - inner);
      if (bTransposed) packTransposed(b + <usize>column * bRow + (<usize>inner << 2), bRow, deep, width, packed);
      else packPlain(b + <usize>inner * bRow + (<usize>column << 2), bRow, deep, width, packed);
      const starts = inner == 0;
      const act = inner + deep == depth ? activation : 0;
      const added: usize = starts ? bias : 0;
      const aFrom = a + <usize>inner * aInner;
      for (let block = fromRow; block < toRow; block += BLOCK_ROWS) {
        const end = min(block + BLOCK_ROWS, toRow);
        for (let j = 0; j < width; j += TILE_COLUMNS) {
          const panel = packed + <usize>j * deep * 4;
          const at = <usize>(column + j) << 2;
          for (let i = block; i < end; i += TILE_ROWS) {
            tile(
              aFrom + <usize>i * aRow, aRow, aInner, panel, deep, c + <usize>i * cRow + at, cRow,
              end - i, width - j, added == 0 ? 0 : added + at, starts, act,
            );
          }
        }
      }
    }
  }
}

/**
 * C (batch, rows, columns) = act(A B + bias). A is (rows, depth) with steps of `aRow` and `aInner` bytes, B (depth, columns)
 * with rows of `bRow` bytes or, transposed, (columns, depth) with rows of `bRow` bytes; `aBatch` and `bBatch` are bytes from
 * one product to the next, 0 where all share one matrix. `bias` is (columns) floats or 0. `scratch`: PACKED_BYTES a lane.
 */
export function matrixProduct(
  lane: i32, lanes: i32, a: usize, b: usize, c: usize, bias: usize, scratch: usize,
  rows: i32, columns: i32, depth: i32, aRow: usize, aInner: usize, bTransposed: i32, bRow: usize, activation: i32,
  batch: i32, aBatch: usize, bBatch: usize,
): void {
  const packed = scratch + <usize>lane * PACKED_BYTES;
  const cBatch = <usize>rows * columns * 4;
  let from = 0;
  let to = batch;
  let fromRow = 0;
  let toRow = rows;
  let fromColumn = 0;
  let toColumn = columns;
  if (batch >= 2 * lanes) {
    from = partStart(batch, lane, lanes, 1);
    to = partStart(batch, lane + 1, lanes, 1);
  } else if (columns >= rows || rows < lanes * TILE_ROWS * 2) {
    fromColumn = partStart(columns, lane, lanes, TILE_COLUMNS);
    toColumn = partStart(columns, lane + 1, lanes, TILE_COLUMNS);
  } else {
    fromRow = partStart(rows, lane, lanes, TILE_ROWS);
    toRow = partStart(rows, lane + 1, lanes, TILE_ROWS);
  }
  for (let item = from; item < to; item++) {
    rectangle(
      a + <usize>item * aBatch, b + <usize>item * bBatch, c + <usize>item * cBatch, bias, packed, columns, depth,
      aRow, aInner, bTransposed != 0, bRow, activation, fromRow, toRow, fromColumn, toColumn,
    );
  }
}
