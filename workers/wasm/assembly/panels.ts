// A matrix that meets many small ones is packed once into panels of 8 columns; see matrixProduct.ts.
import { partStart } from './lanes';
import { finishRows, hasProductLibrary, packedStep, productOfLibrary } from './libraryProduct';
import { packPlain, packTransposed } from './matrixProduct';
import { tile, TILE_COLUMNS, TILE_ROWS } from './matrixTile';

/** Bytes of a packed matrix. */
@inline
export function packedBytes(depth: i32, columns: i32): usize {
  return (<usize>depth << 2) * (<usize>(columns + TILE_COLUMNS - 1) & ~(<usize>(TILE_COLUMNS - 1)));
}

/**
 * Packs B (depth, columns), its rows `bRow` bytes apart, or, transposed, given as (columns, depth). `to` has room for whole
 * panels. A plain B is read up to 7 floats past its rows.
 */
export function packPanels(
  lane: i32, lanes: i32, b: usize, bRow: usize, to: usize, depth: i32, columns: i32, transposed: i32,
): void {
  const from = partStart(columns, lane, lanes, TILE_COLUMNS);
  const count = partStart(columns, lane + 1, lanes, TILE_COLUMNS) - from;
  if (count <= 0) return;
  if (hasProductLibrary) {
    copyColumns(b, bRow, to, depth, packedStep(columns), from, count, transposed);
    return;
  }
  const place = to + (<usize>from * depth << 2);
  if (transposed) packTransposed(b + <usize>from * bRow, bRow, depth, count, place);
  else packPlain(b + (<usize>from << 2), bRow, depth, count, place);
}

/** `count` columns of B from column `from` on, into rows of `step` floats. */
function copyColumns(b: usize, bRow: usize, to: usize, depth: i32, step: i32, from: i32, count: i32, transposed: i32): void {
  const stepBytes = <usize>step << 2;
  to += <usize>from << 2;
  if (transposed) {
    for (let column = 0; column < count; column++) {
      const source = b + <usize>(from + column) * bRow;
      const place = to + (<usize>column << 2);
      for (let row = 0; row < depth; row++) f32.store(place + <usize>row * stepBytes, f32.load(source + (<usize>row << 2)));
    }
    return;
  }
  for (let row = 0; row < depth; row++) {
    memory.copy(to + <usize>row * stepBytes, b + <usize>row * bRow + (<usize>from << 2), <usize>count << 2);
  }
}

/** C (rows, columns) = or += A (rows, depth) times packed panels, plus `bias` where that is not 0; lines of C `cRow` bytes apart. */
export function timesPanels(
  a: usize, aRow: usize, aInner: usize, panels: usize, c: usize, cRow: usize,
  rows: i32, depth: i32, columns: i32, bias: usize, starts: bool,
): void {
  if (hasProductLibrary) {
    productOfLibrary(a, aRow, aInner, panels, <usize>packedStep(columns) << 2, false, c, cRow, rows, columns, depth, starts);
    finishRows(c, cRow, rows, columns, bias, 0);
    return;
  }
  const panelBytes = <usize>depth * TILE_COLUMNS << 2;
  for (let column = 0; column < columns; column += TILE_COLUMNS) {
    const at = <usize>column << 2;
    for (let row = 0; row < rows; row += TILE_ROWS) {
      tile(
        a + <usize>row * aRow, aRow, aInner, panels, depth, c + <usize>row * cRow + at, cRow,
        rows - row, columns - column, bias == 0 ? 0 : bias + at, starts, 0,
      );
    }
    panels += panelBytes;
  }
}
