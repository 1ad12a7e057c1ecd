// As fullSoftmax.ts where a library multiplies. It packs what it multiplies at every call, so blocks have more positions, and a
// block's items come a slab at a time: scores, their exponentials and the gradient in hidden are of one slab while that is in the
// second-level cache. The greatest score so far is what a slab's are less by; what was summed before shrinks when it grows.
import { addBiasGradient, addBiasTargets, addTargets, exponentialsBelow, greatestOf } from './fullSoftmax';
import { partStart } from './lanes';
import { finishRows, productOfLibrary } from './libraryProduct';
import { TILE_ROWS } from './matrixTile';

/**
 * As `fullSoftmax`, from the table as it is. A slab is `slabItems` items, its rows of scores `slabStep` bytes apart. `scratch`
 * of a lane: blockRows (a multiple of 4) times a line of each slab (of one where gradients are not `wanted`), then blockRows ×
 * (12 + 4 × slabs + 4 × columns).
 */
export function librarySoftmax(
  lane: i32, lanes: i32, hidden: usize, table: usize, bias: usize, targets: usize, factors: usize, sums: usize,
  scratch: usize, scratchBytes: usize, blockRows: i32, slabItems: i32, slabStep: usize,
  hiddenGradient: usize, tableParts: usize, biasParts: usize, positions: i32, items: i32, columns: i32, wanted: i32,
): void {
  const bytes = <usize>columns << 2;
  const slabs = (items + slabItems - 1) / slabItems;
  const slabBytes = wanted ? <usize>blockRows * slabStep : 0;
  const blockBytes = <usize>blockRows << 2;
  const scores = scratch + <usize>lane * scratchBytes;
  const rowSums = scores + (wanted ? <usize>slabs : 1) * <usize>blockRows * slabStep;
  const targetScores = rowSums + 2 * blockBytes;
  // The greatest score up to each slab, then each slab's scales.
  const shifts = targetScores + blockBytes;
  const scaled = shifts + <usize>slabs * blockBytes;
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
    const ownTargets = targets + (<usize>first << 2);
    const ownFactors = factors + (<usize>first << 2);
    const gradient = wanted ? hiddenGradient + <usize>first * bytes : 0;
    for (let slab = 0; slab < slabs; slab++) {
      const from = slab * slabItems;
      const depth = min(slabItems, items - from);
      const at = scores + <usize>slab * slabBytes;
      const part = table + <usize>from * bytes;
      productOfLibrary(own, bytes, 4, part, bytes, true, at, slabStep, rows, depth, columns, true);
      finishRows(at, slabStep, rows, depth, bias == 0 ? 0 : bias + (<usize>from << 2), 0);
      for (let row = 0; row < rows; row++) {
        const line = at + <usize>row * slabStep;
        const place = <usize>row << 2;
        const target = i32.load(ownTargets + place) - from;
        if (target >= 0 && target < depth) f32.store(targetScores + place, f32.load(line + (<usize>target << 2)));
        const shift = shifts + <usize>slab * blockBytes + place;
        let most = greatestOf(line, depth);
        let sum: f64 = 0;
        if (slab > 0) {
          const before = f32.load(shift - blockBytes);
          sum = f64.load(rowSums + (place << 1));
          if (most > before) {
            const shrunk = Math.exp(<f64>before - <f64>most);
            sum *= shrunk;
            if (wanted) scaleRow(gradient + <usize>row * bytes, gradient + <usize>row * bytes, <f32>shrunk, bytes);
          } else most = before;
        }
        f32.store(shift, most);
        f64.store(rowSums + (place << 1), sum + exponentialsBelow(line, depth, most));
      }
      if (wanted) productOfLibrary(at, slabStep, 4, part, bytes, false, gradient, bytes, rows, columns, depth, slab == 0);
    }
    for (let row = 0; row < rows; row++) {
      const place = <usize>row << 2;
      const sum = f64.load(rowSums + (place << 1));
      const factor = <f64>f32.load(ownFactors + place);
      const most = <f64>f32.load(shifts + <usize>(slabs - 1) * blockBytes + place);
      loss += factor * (Math.log(sum) + most - <f64>f32.load(targetScores + place));
      if (!wanted) continue;
      for (let slab = 0; slab < slabs; slab++) {
        const shift = shifts + <usize>slab * blockBytes + place;
        const before = <f64>f32.load(shift);
        f32.store(shift, <f32>(before == most ? factor / sum : factor / sum * Math.exp(before - most)));
      }
    }
    if (!wanted) continue;
    for (let slab = 0; slab < slabs; slab++) {
      const from = slab * slabItems;
      const depth = min(slabItems, items - from);
      const at = scores + <usize>slab * slabBytes;
      const scales = shifts + <usize>slab * blockBytes;
      for (let row = 0; row < rows; row++) {
        scaleRow(own + <usize>row * bytes, scaled + <usize>row * bytes, f32.load(scales + (<usize>row << 2)), bytes);
      }
      productOfLibrary(at, 4, slabStep, scaled, bytes, false, tablePart + <usize>from * bytes, bytes, depth, columns, rows, false);
      if (bias != 0) addBiasGradient(at, slabStep, scales, rows, depth, biasPart + (<usize>from << 2));
    }
    const lastScales = shifts + <usize>(slabs - 1) * blockBytes;
    addTargets(own, table, ownTargets, ownFactors, lastScales, gradient, tablePart, rows, columns);
    if (bias != 0) addBiasTargets(ownTargets, ownFactors, rows, biasPart);
  }
  f64.store(sums + <usize>lane * 64, loss);
}

/** A row of some `bytes` at `to` becomes `scale` times that at `from`. */
@inline
function scaleRow(from: usize, to: usize, scale: f32, bytes: usize): void {
  const scale4 = f32x4.splat(scale);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) v128.store(to + at, f32x4.mul(v128.load(from + at), scale4));
  for (; at < bytes; at += 4) f32.store(to + at, f32.load(from + at) * scale);
}
