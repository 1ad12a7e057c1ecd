// Matrix products by a library outside of WebAssembly (OpenBLAS), where this computation has one. It reads and writes the
// same memory, and packs by itself: what the kernels pack for their own tiles lies as a plain matrix then.
import { RELU_ACTIVATION } from '../fields/matrixFields';
import { storeFirst } from './lanes';

/** 1 where there is a library, else 0. */
@external("env", "hasProductLibrary")
export declare const hasProductLibrary: i32;

/** C = `beta` C + A B in rows of `lda`, `ldb` and `ldc` floats, A and B as they lie or transposed. */
@external("env", "libraryProduct")
declare function libraryProduct(
  transposeA: i32, transposeB: i32, rows: i32, columns: i32, depth: i32,
  a: usize, lda: i32, b: usize, ldb: i32, beta: f32, c: usize, ldc: i32,
): void;

/** Floats from row to row of a matrix that is packed for the library: whole panels, as the kernels' own packing has it. */
@inline
export function packedStep(columns: i32): i32 {
  return (columns + 7) & ~7;
}

/**
 * C (rows, columns) becomes (`starts`) or gains A (rows, depth) times B (depth, columns). Steps in bytes: A's element (i, p) is
 * at a + i `aRow` + p `aInner`, one of which is 4; B, plain or `bTransposed`, and C have rows of `bRow` and `cRow`.
 */
export function productOfLibrary(
  a: usize, aRow: usize, aInner: usize, b: usize, bRow: usize, bTransposed: bool, c: usize, cRow: usize,
  rows: i32, columns: i32, depth: i32, starts: bool,
): void {
  if (rows <= 0 || columns <= 0) return;
  const isPlain = aInner == 4;
  const lda = isPlain ? max(<i32>(aRow >> 2), depth) : max(<i32>(aInner >> 2), rows);
  libraryProduct(
    isPlain ? 0 : 1, bTransposed ? 1 : 0, rows, columns, depth,
    a, lda, b, <i32>(bRow >> 2), starts ? 0 : 1, c, <i32>(cRow >> 2),
  );
}

/** Adds `bias` (columns), if not 0, to every row of C (rows, columns), then the activation. */
export function finishRows(c: usize, cRow: usize, rows: i32, columns: i32, bias: usize, activation: i32): void {
  if (bias == 0 && activation != RELU_ACTIVATION) return;
  const zero = f32x4.splat(0);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column += 4) {
      const at = <usize>column << 2;
      let value = v128.load(c + at);
      if (bias != 0) value = f32x4.add(value, v128.load(bias + at));
      if (activation == RELU_ACTIVATION) value = f32x4.pmax(value, zero);
      if (columns - column >= 4) v128.store(c + at, value);
      else storeFirst(c + at, value, columns - column);
    }
    c += cRow;
  }
}
