// Compiled form of workers/tensor/operations/composedFullSoftmax.ts. A lane takes its positions a block at a time: scores of the block
// and all items, their exponentials, and from these at once both gradients, so that no score is computed twice or kept.
import { partStart } from './lanes';
import { packPlain } from './matrixProduct';
import { tile, TILE_COLUMNS, TILE_ROWS } from './matrixTile';
import { timesPanels } from './panels';
import { addScaledRow } from './vectorRows';
import { ITEM_CHUNK } from '../fields/softmaxFields';
import { productPlus4 } from './multiplyAdd';

/**
 * Packs the table (items, columns) for the gradient in hidden: chunks of ITEM_CHUNK rows, each in panels of 8 columns.
 */
export function packChunks(lane: i32, lanes: i32, table: usize, to: usize, items: i32, columns: i32): void {
  const bytes = <usize>columns << 2;
  const chunks = (items + ITEM_CHUNK - 1) / ITEM_CHUNK;
  const wide = <usize>((columns + 7) & ~7) << 2;
  const until = partStart(chunks, lane + 1, lanes, 1);
  for (let chunk = partStart(chunks, lane, lanes, 1); chunk < until; chunk++) {
    const first = chunk * ITEM_CHUNK;
    const depth = min(ITEM_CHUNK, items - first);
    const place = to + <usize>first * wide;
    packPlain(table + <usize>first * bytes, bytes, depth, columns, place);
  }
}

/** The greatest of some floats; a NaN among them is passed over. */
export function greatestOf(values: usize, count: i32): f32 {
  const whole = <usize>(count & ~15) << 2;
  const all = <usize>count << 2;
  let most0 = f32x4.splat(-Infinity);
  let most1 = most0;
  let most2 = most0;
  let most3 = most0;
  let at: usize = 0;
  for (; at < whole; at += 64) {
    most0 = f32x4.pmax(most0, v128.load(values + at));
    most1 = f32x4.pmax(most1, v128.load(values + at, 16));
    most2 = f32x4.pmax(most2, v128.load(values + at, 32));
    most3 = f32x4.pmax(most3, v128.load(values + at, 48));
  }
  const most4 = f32x4.pmax(f32x4.pmax(most0, most1), f32x4.pmax(most2, most3));
  const left = max(f32x4.extract_lane(most4, 0), f32x4.extract_lane(most4, 1));
  const right = max(f32x4.extract_lane(most4, 2), f32x4.extract_lane(most4, 3));
  let most = max(left, right);
  for (; at < all; at += 4) {
    const value = f32.load(values + at);
    if (value > most) most = value;
  }
  return most;
}

/**
 * e^x for x from 0 down: relative error 2e-7 + 6e-8 |x|, which is that of the score itself; 2e-38 instead of what is less.
 * 2^n (1 + r P(r)) with Cephes' exp2f; NaN stays.
 */
@inline
function exp4Below(given: v128): v128 {
  const x = f32x4.mul(f32x4.pmax(given, f32x4.splat(-86.5)), f32x4.splat(1.44269504088896341));
  const shifted = f32x4.add(x, f32x4.splat(12582912.0));
  const r = f32x4.sub(x, f32x4.sub(shifted, f32x4.splat(12582912.0)));
  let p = productPlus4(f32x4.splat(1.535336188319500e-4), r, f32x4.splat(1.339887440266574e-3));
  p = productPlus4(p, r, f32x4.splat(9.618437357674640e-3));
  p = productPlus4(p, r, f32x4.splat(5.550332471162809e-2));
  p = productPlus4(p, r, f32x4.splat(2.402264791363012e-1));
  p = productPlus4(p, r, f32x4.splat(6.931472028550421e-1));
  p = productPlus4(p, r, f32x4.splat(1.0));
  // n stands in the low bits of the shifted number: times 2^n is an addition to the exponent.
  return i32x4.add(p, i32x4.shl(shifted, 23));
}

/** Turns scores into e^(score - greatest); returns their sum, and leaves the greatest at `greatest`. */
function exponentials(scores: usize, items: i32, greatest: usize): f64 {
  const most = greatestOf(scores, items);
  f32.store(greatest, most);
  return exponentialsBelow(scores, items, most);
}

/** Turns scores into e^(score - most), where none is above `most`; returns their sum. */
export function exponentialsBelow(scores: usize, items: i32, most: f32): f64 {
  const whole = <usize>(items & ~3) << 2;
  const all = <usize>items << 2;
  const shift = f32x4.splat(most);
  let sum: f64 = 0;
  let at: usize = 0;
  while (at < whole) {
    // Single sums of 256 scores, added up in double: their rounding does not grow with the items.
    const stop = min(whole, at + 1024);
    let sum4 = f32x4.splat(0);
    for (; at < stop; at += 16) {
      const value = exp4Below(f32x4.sub(v128.load(scores + at), shift));
      v128.store(scores + at, value);
      sum4 = f32x4.add(sum4, value);
    }
    sum += <f64>f32x4.extract_lane(sum4, 0) + <f64>f32x4.extract_lane(sum4, 1);
    sum += <f64>f32x4.extract_lane(sum4, 2) + <f64>f32x4.extract_lane(sum4, 3);
  }
  for (; at < all; at += 4) {
    const value = f32x4.extract_lane(exp4Below(f32x4.splat(f32.load(scores + at) - most)), 0);
    f32.store(scores + at, value);
    sum += value;
  }
  return sum;
}

/** Adds the columns of the block's gradient in the scores to that in the bias: factor_i e_ij / sum_i over i. */
export function addBiasGradient(scores: usize, step: usize, scales: usize, rows: i32, items: i32, to: usize): void {
  for (let row = 0; row < rows; row++) {
    addScaledRow(to, scores + <usize>row * step, f32.load(scales + (<usize>row << 2)), items);
  }
}

/**
 * The lane's share of the loss, Σ factor (log Σ e^score - score of the target), a double, at `sums` (a cache line a lane), and
 * where `wanted` the gradients: `hiddenGradient` by positions, and the lane's own sums of the table's at `tableParts` and of
 * the bias's at `biasParts` (both a matrix a lane). `panels` is the table packed transposed, `chunks` by `packChunks`, `bias` 0
 * or (items). `scratch` of a lane: `blockRows` lines of `scoreStep` bytes, then blockRows × (16 + 4 × columns rounded up to 8).
 */
export function fullSoftmax(
  lane: i32, lanes: i32, hidden: usize, table: usize, bias: usize, targets: usize, factors: usize, panels: usize,
  chunks: usize, sums: usize, scratch: usize, scratchBytes: usize, scoreStep: usize, blockRows: i32,
  hiddenGradient: usize, tableParts: usize, biasParts: usize, positions: i32, items: i32, columns: i32, wanted: i32,
): void {
  const bytes = <usize>columns << 2;
  const scores = scratch + <usize>lane * scratchBytes;
  const scales = scores + <usize>blockRows * scoreStep;
  const scaled = scales + (<usize>blockRows << 4);
  const tablePart = tableParts + <usize>lane * items * bytes;
  const biasPart = bias == 0 ? <usize>0 : biasParts + (<usize>lane * items << 2);
  if (wanted) {
    memory.fill(tablePart, 0, <usize>items * bytes);
    if (bias != 0) memory.fill(biasPart, 0, <usize>items << 2);
  }
  const until = partStart(positions, lane + 1, lanes, TILE_ROWS);
  let loss: f64 = 0;
  for (let first = partStart(positions, lane, lanes, TILE_ROWS); first < until; first += blockRows) {
    const rows = min(blockRows, until - first);
    const own = hidden + <usize>first * bytes;
    timesPanels(own, bytes, 4, panels, scores, scoreStep, rows, columns, items, bias, true);
    for (let row = 0; row < rows; row++) {
      const at = <usize>(first + row) << 2;
      const line = scores + <usize>row * scoreStep;
      const factor = f32.load(factors + at);
      const target = f32.load(line + (<usize>i32.load(targets + at) << 2));
      const place = scales + (<usize>row << 2);
      const sum = exponentials(line, items, place);
      loss += <f64>factor * (Math.log(sum) + <f64>f32.load(place) - <f64>target);
      f32.store(place, <f32>(<f64>factor / sum));
    }
    if (!wanted) continue;
    gradients(own, table, targets + (<usize>first << 2), factors + (<usize>first << 2), chunks, scores, scoreStep, scales, scaled,
      hiddenGradient + <usize>first * bytes, tablePart, rows, items, columns);
    if (bias == 0) continue;
    addBiasGradient(scores, scoreStep, scales, rows, items, biasPart);
    addBiasTargets(targets + (<usize>first << 2), factors + (<usize>first << 2), rows, biasPart);
  }
  f64.store(sums + <usize>lane * 64, loss);
}

/** The part of the targets in the bias's gradient. */
export function addBiasTargets(targets: usize, factors: usize, rows: i32, biasPart: usize): void {
  for (let row = 0; row < rows; row++) {
    const at = <usize>row << 2;
    const place = biasPart + (<usize>i32.load(targets + at) << 2);
    f32.store(place, f32.load(place) - f32.load(factors + at));
  }
}

/** Gradients of one block; `scores` hold exponentials, `scales` factor / sum of each row. */
function gradients(
  own: usize, table: usize, targets: usize, factors: usize, chunks: usize, scores: usize, scoreStep: usize, scales: usize, scaled: usize,
  hiddenGradient: usize, tablePart: usize, rows: i32, items: i32, columns: i32,
): void {
  const bytes = <usize>columns << 2;
  const wide = <usize>((columns + 7) & ~7) << 2;
  for (let chunk = 0; chunk < items; chunk += ITEM_CHUNK) {
    const depth = min(ITEM_CHUNK, items - chunk);
    timesPanels(scores + (<usize>chunk << 2), scoreStep, 4, chunks + <usize>chunk * wide, hiddenGradient, bytes, rows, depth, columns, 0, chunk == 0);
  }
  addTablePart(own, scales, scaled, scores, scoreStep, tablePart, rows, items, columns);
  addTargets(own, table, targets, factors, scales, hiddenGradient, tablePart, rows, columns);
}

/** What hidden has of the gradient so far gets its scales, and both get the part of the targets. */
export function addTargets(
  own: usize, table: usize, targets: usize, factors: usize, scales: usize, hiddenGradient: usize, tablePart: usize, rows: i32, columns: i32,
): void {
  const bytes = <usize>columns << 2;
  for (let row = 0; row < rows; row++) {
    const target = <usize>i32.load(targets + (<usize>row << 2)) * bytes;
    const factor = f32.load(factors + (<usize>row << 2));
    const to = hiddenGradient + <usize>row * bytes;
    const scale = f32.load(scales + (<usize>row << 2));
    for (let at: usize = 0; at < bytes; at += 4) f32.store(to + at, scale * f32.load(to + at) - factor * f32.load(table + target + at));
    addScaledRow(tablePart + target, own + <usize>row * bytes, -factor, columns);
  }
}

/** Adds transposed exponentials times scaled rows of hidden to the table's gradient. */
function addTablePart(
  own: usize, scales: usize, scaled: usize, scores: usize, scoreStep: usize, tablePart: usize, rows: i32, items: i32, columns: i32,
): void {
  const bytes = <usize>columns << 2;
  // In panels of 8 columns, which the tiles meet.
  for (let column = 0; column < columns; column += TILE_COLUMNS) {
    const count = min(TILE_COLUMNS, columns - column);
    for (let row = 0; row < rows; row++) {
      const scale = f32.load(scales + (<usize>row << 2));
      const from = own + <usize>row * bytes + (<usize>column << 2);
      const to = scaled + ((<usize>column * rows + (<usize>row << 3)) << 2);
      for (let at = 0; at < count; at++) f32.store(to + (<usize>at << 2), scale * f32.load(from + (<usize>at << 2)));
    }
  }
  const panelBytes = <usize>rows << 5;
  for (let item = 0; item < items; item += TILE_ROWS) {
    let panel = scaled;
    for (let column = 0; column < columns; column += TILE_COLUMNS) {
      tile(scores + (<usize>item << 2), 4, scoreStep, panel, rows, tablePart + <usize>item * bytes + (<usize>column << 2), bytes,
        items - item, columns - column, 0, false, 0);
      panel += panelBytes;
    }
  }
}

/** The first of `count` matrices of `size` floats, one after the other, becomes their sum, in their order. */
export function sumMatrices(lane: i32, lanes: i32, matrices: usize, count: i32, size: i32): void {
  const until = <usize>partStart(size, lane + 1, lanes, 16) << 2;
  const step = <usize>size << 2;
  for (let at = <usize>partStart(size, lane, lanes, 16) << 2; at < until; at += 4) {
    let sum = f32.load(matrices + at);
    for (let part = 1; part < count; part++) sum += f32.load(matrices + <usize>part * step + at);
    f32.store(matrices + at, sum);
  }
}
