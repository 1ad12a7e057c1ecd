// Compiled form of the recurrence of workers/tensor/operations/gru.ts. A lane has every lanes-th of the sequences, which come longest
// first, and goes through its own place by place: one small matrix product for all that still go on.
import { sigmoid4, tanh4 } from './floatMath';
import { storeUpTo4 } from './lanes';
import { addProduct4, subtractProduct4 } from './multiplyAdd';
import { timesPanels } from './panels';
import { lengthOf, sequenceAt } from './sequenceOrder';
import { loadFirst } from './vectorRows';

/** Bytes that a lane with `count` sequences needs: states and products. */
@inline
function laneBytes(sequences: i32, lanes: i32, width: i32): usize {
  return (<usize>((sequences + lanes - 1) / lanes) * width << 4) + 64;
}

/**
 * States (tokens, width) after every token, from `projected` (tokens, 3 width): what the inputs add to the gates. `panels` is
 * the hidden weight packed, `bias` 0 or (3 width), `initial` 0 or (sequences, width). `gates` (tokens, 4 width) gets reset,
 * update, new state and what the state adds to it, for the way back. `scratch`: 16 width bytes a sequence and 64 a lane, and
 * 16 width more a lane.
 */
export function gruForward(
  lane: i32, lanes: i32, projected: usize, offsets: usize, order: usize, panels: usize, bias: usize, initial: usize,
  states: usize, gates: usize, scratch: usize, sequences: i32, width: i32,
): void {
  const row4 = <usize>width << 2;
  const state = scratch + <usize>lane * laneBytes(sequences, lanes, width);
  const mine = (sequences - lane + lanes - 1) / lanes;
  const products = state + <usize>mine * row4;
  for (let rank = 0; rank < mine; rank++) {
    const to = state + <usize>rank * row4;
    if (initial == 0) memory.fill(to, 0, row4);
    else memory.copy(to, initial + <usize>sequenceAt(order, lane, lanes, rank) * row4, row4);
  }
  let active = mine;
  for (let t = 0; ; t++) {
    while (active > 0 && lengthOf(offsets, sequenceAt(order, lane, lanes, active - 1)) <= t) active--;
    if (active == 0) break;
    timesPanels(state, row4, 4, panels, products, 3 * row4, active, width, 3 * width, bias, true);
    for (let rank = 0; rank < active; rank++) {
      const row = <usize>(i32.load(offsets + (<usize>sequenceAt(order, lane, lanes, rank) << 2)) + t);
      gruStep(projected + row * 3 * row4, products + <usize>rank * 3 * row4, state + <usize>rank * row4, states + row * row4, gates + row * 4 * row4, width);
    }
  }
}

function gruStep(projected: usize, product: usize, state: usize, to: usize, gates: usize, width: i32): void {
  const row4 = <usize>width << 2;
  for (let left = width; left > 0; left -= 4) {
    const reset = sigmoid4(f32x4.add(loadFirst(projected, left), loadFirst(product, left)));
    const update = sigmoid4(f32x4.add(loadFirst(projected + row4, left), loadFirst(product + row4, left)));
    const added = loadFirst(product + 2 * row4, left);
    const next = tanh4(addProduct4(loadFirst(projected + 2 * row4, left), reset, added));
    const value = addProduct4(next, update, f32x4.sub(loadFirst(state, left), next));
    storeUpTo4(state, value, left);
    storeUpTo4(to, value, left);
    storeUpTo4(gates, reset, left);
    storeUpTo4(gates + row4, update, left);
    storeUpTo4(gates + 2 * row4, next, left);
    storeUpTo4(gates + 3 * row4, added, left);
    projected += 16;
    product += 16;
    state += 16;
    to += 16;
    gates += 16;
  }
}

/**
 * The way back: from `upstream` (tokens, width) the gradients of what the inputs add, `projectedGradient` (tokens, 3 width), of
 * what the states add, `recurrentGradient` (the same shape), and of the initial states (sequences, width), 0 where not
 * wanted; `before` (tokens, width) gets the state before each token. `panels`: the hidden weight packed transposed. `scratch`
 * as forward.
 */
export function gruBackward(
  lane: i32, lanes: i32, upstream: usize, offsets: usize, order: usize, panels: usize, initial: usize, states: usize,
  gates: usize, projectedGradient: usize, recurrentGradient: usize, before: usize, initialGradient: usize,
  scratch: usize, sequences: i32, width: i32,
): void {
  const row4 = <usize>width << 2;
  const slopes = scratch + <usize>lane * laneBytes(sequences, lanes, width);
  const mine = (sequences - lane + lanes - 1) / lanes;
  if (mine <= 0) return;
  const steps = slopes + <usize>mine * row4;
  memory.fill(slopes, 0, <usize>mine * row4);
  let active = 0;
  for (let t = lengthOf(offsets, sequenceAt(order, lane, lanes, 0)) - 1; t >= 0; t--) {
    while (active < mine && lengthOf(offsets, sequenceAt(order, lane, lanes, active)) > t) active++;
    for (let rank = 0; rank < active; rank++) {
      const sequence = <usize>sequenceAt(order, lane, lanes, rank);
      const row = <usize>(i32.load(offsets + (sequence << 2)) + t);
      const kept = before + row * row4;
      if (t > 0) memory.copy(kept, states + (row - 1) * row4, row4);
      else if (initial != 0) memory.copy(kept, initial + sequence * row4, row4);
      else memory.fill(kept, 0, row4);
      const step = steps + <usize>rank * 3 * row4;
      gruStepBack(upstream + row * row4, slopes + <usize>rank * row4, kept, gates + row * 4 * row4, projectedGradient + row * 3 * row4, step, width);
      memory.copy(recurrentGradient + row * 3 * row4, step, 3 * row4);
    }
    timesPanels(steps, 3 * row4, 4, panels, slopes, row4, active, 3 * width, width, 0, false);
  }
  if (initialGradient == 0) return;
  for (let rank = 0; rank < mine; rank++) {
    memory.copy(initialGradient + <usize>sequenceAt(order, lane, lanes, rank) * row4, slopes + <usize>rank * row4, row4);
  }
}

/** `slope`, the derivative in the state after, becomes the part of that before that does not pass the weight. */
function gruStepBack(upstream: usize, slope: usize, before: usize, gates: usize, projected: usize, recurrent: usize, width: i32): void {
  const row4 = <usize>width << 2;
  const one = f32x4.splat(1);
  for (let left = width; left > 0; left -= 4) {
    const whole = f32x4.add(loadFirst(slope, left), loadFirst(upstream, left));
    const reset = loadFirst(gates, left);
    const update = loadFirst(gates + row4, left);
    const next = loadFirst(gates + 2 * row4, left);
    const added = loadFirst(gates + 3 * row4, left);
    const kept = f32x4.mul(whole, update);
    const nextSlope = f32x4.mul(f32x4.sub(whole, kept), subtractProduct4(one, next, next));
    const updateSlope = f32x4.mul(f32x4.mul(kept, f32x4.sub(one, update)), f32x4.sub(loadFirst(before, left), next));
    const passed = f32x4.mul(nextSlope, reset);
    const resetSlope = f32x4.mul(f32x4.mul(passed, added), f32x4.sub(one, reset));
    storeUpTo4(slope, kept, left);
    storeUpTo4(projected, resetSlope, left);
    storeUpTo4(projected + row4, updateSlope, left);
    storeUpTo4(projected + 2 * row4, nextSlope, left);
    storeUpTo4(recurrent, resetSlope, left);
    storeUpTo4(recurrent + row4, updateSlope, left);
    storeUpTo4(recurrent + 2 * row4, passed, left);
    slope += 16;
    upstream += 16;
    before += 16;
    gates += 16;
    projected += 16;
    recurrent += 16;
  }
}
