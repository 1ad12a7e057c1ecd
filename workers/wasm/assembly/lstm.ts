// Compiled form of the recurrence of workers/tensor/operations/lstm.ts. A lane has every lanes-th of the sequences, which come longest
// first, and goes through its own place by place: one small matrix product for all that still go on.
import { sigmoid4, tanh4 } from './floatMath';
import { storeUpTo4 } from './lanes';
import { addProduct4, subtractProduct4 } from './multiplyAdd';
import { timesPanels } from './panels';
import { lengthOf, sequenceAt } from './sequenceOrder';
import { loadFirst } from './vectorRows';

/** Bytes that a lane with `count` sequences needs: states, cells and products. */
@inline
function laneBytes(sequences: i32, lanes: i32, width: i32): usize {
  return <usize>((sequences + lanes - 1) / lanes) * width * 24 + 64;
}

/**
 * States (tokens, width) after every token, from `projected` (tokens, 4 width): what the inputs add to the gates. `panels` is
 * the hidden weight packed. States and cells start from 0. `gates` (tokens, 5 width) gets input, forget, new value, output
 * and the cell, for the way back. `scratch`: 24 width bytes a sequence and 64 a lane, and 24 width more a lane.
 */
export function lstmForward(
  lane: i32, lanes: i32, projected: usize, offsets: usize, order: usize, panels: usize, states: usize, gates: usize,
  scratch: usize, sequences: i32, width: i32,
): void {
  const row4 = <usize>width << 2;
  const state = scratch + <usize>lane * laneBytes(sequences, lanes, width);
  const mine = (sequences - lane + lanes - 1) / lanes;
  if (mine <= 0) return;
  const cell = state + <usize>mine * row4;
  const products = cell + <usize>mine * row4;
  memory.fill(state, 0, <usize>mine * 2 * row4);
  let active = mine;
  for (let t = 0; ; t++) {
    while (active > 0 && lengthOf(offsets, sequenceAt(order, lane, lanes, active - 1)) <= t) active--;
    if (active == 0) break;
    timesPanels(state, row4, 4, panels, products, 4 * row4, active, width, 4 * width, 0, true);
    for (let rank = 0; rank < active; rank++) {
      const row = <usize>(i32.load(offsets + (<usize>sequenceAt(order, lane, lanes, rank) << 2)) + t);
      const at = <usize>rank * row4;
      lstmStep(projected + row * 4 * row4, products + 4 * at, state + at, cell + at, gates + row * 5 * row4, width);
      memory.copy(states + row * row4, state + at, row4);
    }
  }
}

function lstmStep(projected: usize, product: usize, state: usize, cell: usize, gates: usize, width: i32): void {
  const row4 = <usize>width << 2;
  for (let left = width; left > 0; left -= 4) {
    const input = sigmoid4(f32x4.add(loadFirst(projected, left), loadFirst(product, left)));
    const forget = sigmoid4(f32x4.add(loadFirst(projected + row4, left), loadFirst(product + row4, left)));
    const value = tanh4(f32x4.add(loadFirst(projected + 2 * row4, left), loadFirst(product + 2 * row4, left)));
    const output = sigmoid4(f32x4.add(loadFirst(projected + 3 * row4, left), loadFirst(product + 3 * row4, left)));
    const next = addProduct4(f32x4.mul(forget, loadFirst(cell, left)), input, value);
    storeUpTo4(cell, next, left);
    storeUpTo4(state, f32x4.mul(output, tanh4(next)), left);
    storeUpTo4(gates, input, left);
    storeUpTo4(gates + row4, forget, left);
    storeUpTo4(gates + 2 * row4, value, left);
    storeUpTo4(gates + 3 * row4, output, left);
    storeUpTo4(gates + 4 * row4, next, left);
    projected += 16;
    product += 16;
    state += 16;
    cell += 16;
    gates += 16;
  }
}

/**
 * The way back: from `upstream` (tokens, width) the gradient of what the inputs add, `gradient` (tokens, 4 width); `before`
 * (tokens, width) gets the state before each token. `panels`: the hidden weight packed transposed. `scratch` as forward.
 */
export function lstmBackward(
  lane: i32, lanes: i32, upstream: usize, offsets: usize, order: usize, panels: usize, states: usize, gates: usize,
  gradient: usize, before: usize, scratch: usize, sequences: i32, width: i32,
): void {
  const row4 = <usize>width << 2;
  const slopes = scratch + <usize>lane * laneBytes(sequences, lanes, width);
  const mine = (sequences - lane + lanes - 1) / lanes;
  if (mine <= 0) return;
  const cellSlopes = slopes + <usize>mine * row4;
  const steps = cellSlopes + <usize>mine * row4;
  memory.fill(slopes, 0, <usize>mine * 2 * row4);
  let active = 0;
  for (let t = lengthOf(offsets, sequenceAt(order, lane, lanes, 0)) - 1; t >= 0; t--) {
    while (active < mine && lengthOf(offsets, sequenceAt(order, lane, lanes, active)) > t) active++;
    for (let rank = 0; rank < active; rank++) {
      const row = <usize>(i32.load(offsets + (<usize>sequenceAt(order, lane, lanes, rank) << 2)) + t);
      const kept = gates + row * 5 * row4;
      const step = steps + <usize>rank * 4 * row4;
      const cellBefore = t > 0 ? kept - row4 : 0;
      if (t > 0) memory.copy(before + row * row4, states + (row - 1) * row4, row4);
      else memory.fill(before + row * row4, 0, row4);
      const at = <usize>rank * row4;
      lstmStepBack(upstream + row * row4, slopes + at, cellSlopes + at, cellBefore, kept, step, width);
      memory.copy(gradient + row * 4 * row4, step, 4 * row4);
    }
    timesPanels(steps, 4 * row4, 4, panels, slopes, row4, active, 4 * width, width, 0, true);
  }
}

/** `cellSlope`, the derivative in the cell after, becomes that in the cell before; `cellBefore` 0 stands for zeros. */
function lstmStepBack(
  upstream: usize, slope: usize, cellSlope: usize, cellBefore: usize, gates: usize, to: usize, width: i32,
): void {
  const row4 = <usize>width << 2;
  const one = f32x4.splat(1);
  for (let left = width; left > 0; left -= 4) {
    const whole = f32x4.add(loadFirst(slope, left), loadFirst(upstream, left));
    const input = loadFirst(gates, left);
    const forget = loadFirst(gates + row4, left);
    const value = loadFirst(gates + 2 * row4, left);
    const output = loadFirst(gates + 3 * row4, left);
    const bent = tanh4(loadFirst(gates + 4 * row4, left));
    const last = cellBefore == 0 ? f32x4.splat(0) : loadFirst(cellBefore, left);
    const passed = f32x4.mul(f32x4.mul(whole, output), subtractProduct4(one, bent, bent));
    const inCell = f32x4.add(loadFirst(cellSlope, left), passed);
    const inputSlope = f32x4.mul(f32x4.mul(inCell, value), f32x4.mul(input, f32x4.sub(one, input)));
    const forgetSlope = f32x4.mul(f32x4.mul(inCell, last), f32x4.mul(forget, f32x4.sub(one, forget)));
    const valueSlope = f32x4.mul(f32x4.mul(inCell, input), subtractProduct4(one, value, value));
    const outputSlope = f32x4.mul(f32x4.mul(whole, bent), f32x4.mul(output, f32x4.sub(one, output)));
    storeUpTo4(cellSlope, f32x4.mul(inCell, forget), left);
    storeUpTo4(to, inputSlope, left);
    storeUpTo4(to + row4, forgetSlope, left);
    storeUpTo4(to + 2 * row4, valueSlope, left);
    storeUpTo4(to + 3 * row4, outputSlope, left);
    upstream += 16;
    slope += 16;
    cellSlope += 16;
    if (cellBefore != 0) cellBefore += 16;
    gates += 16;
    to += 16;
  }
}
