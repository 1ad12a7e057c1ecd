// Compiled form of the recurrence of workers/tensor/operations/elman.ts; as gru.ts with one block of columns and three activations.
import { ELMAN_RELU, ELMAN_TANH } from '../fields/recurrenceFields';
import { erf4, exp4, tanh4 } from './floatMath';
import { storeUpTo4 } from './lanes';
import { subtractProduct4 } from './multiplyAdd';
import { timesPanels } from './panels';
import { lengthOf, sequenceAt } from './sequenceOrder';
import { loadFirst } from './vectorRows';

@inline
function laneBytes(sequences: i32, lanes: i32, width: i32): usize {
  return (<usize>((sequences + lanes - 1) / lanes) * width << 3) + 64;
}

@inline
function valueOf(kind: i32, x: v128): v128 {
  if (kind == ELMAN_TANH) return tanh4(x);
  if (kind == ELMAN_RELU) return f32x4.pmax(x, f32x4.splat(0));
  return erf4(x);
}

/** The derivative, from the argument x where the activation is erf, else from the value y. */
@inline
function slopeOf(kind: i32, x: v128, y: v128): v128 {
  const one = f32x4.splat(1);
  if (kind == ELMAN_TANH) return subtractProduct4(one, y, y);
  if (kind == ELMAN_RELU) return v128.and(one, f32x4.gt(y, f32x4.splat(0)));
  return f32x4.mul(f32x4.splat(1.1283791670955126), exp4(f32x4.neg(f32x4.mul(x, x))));
}

/**
 * States (tokens, width) after every token, from `projected` (tokens, width): what the inputs add. `panels`: the hidden weight
 * packed, that of each place `panelStep` bytes on (0: one for all). `initial` 0 or (sequences, width). `sums` (tokens, width) gets
 * the arguments of the activation. `scratch`: 8 width bytes a sequence and 64 a lane, and 8 width more a lane.
 */
export function elmanForward(
  lane: i32, lanes: i32, projected: usize, offsets: usize, order: usize, panels: usize, panelStep: usize, initial: usize,
  states: usize, sums: usize, scratch: usize, sequences: i32, width: i32, kind: i32,
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
    timesPanels(state, row4, 4, panels + <usize>t * panelStep, products, row4, active, width, width, 0, true);
    for (let rank = 0; rank < active; rank++) {
      const row = <usize>(i32.load(offsets + (<usize>sequenceAt(order, lane, lanes, rank) << 2)) + t) * row4;
      let at: usize = <usize>rank * row4;
      let from: usize = row;
      for (let left = width; left > 0; left -= 4) {
        const x = f32x4.add(loadFirst(projected + from, left), loadFirst(products + at, left));
        const y = valueOf(kind, x);
        storeUpTo4(sums + from, x, left);
        storeUpTo4(states + from, y, left);
        storeUpTo4(state + at, y, left);
        at += 16;
        from += 16;
      }
    }
  }
}

/**
 * The way back: from `upstream` (tokens, width) the gradient of what the inputs add, `gradient` (tokens, width), which is
 * also that of what the states add, and of the initial states (sequences, width), 0 where not wanted; `before` (tokens,
 * width) gets the state before each token. `panels`: the hidden weight packed transposed. `scratch` as forward.
 */
export function elmanBackward(
  lane: i32, lanes: i32, upstream: usize, offsets: usize, order: usize, panels: usize, panelStep: usize, initial: usize,
  states: usize, sums: usize, gradient: usize, before: usize, initialGradient: usize, scratch: usize,
  sequences: i32, width: i32, kind: i32,
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
      const row = <usize>(i32.load(offsets + (sequence << 2)) + t) * row4;
      if (t > 0) memory.copy(before + row, states + row - row4, row4);
      else if (initial != 0) memory.copy(before + row, initial + sequence * row4, row4);
      else memory.fill(before + row, 0, row4);
      let at: usize = <usize>rank * row4;
      let from: usize = row;
      for (let left = width; left > 0; left -= 4) {
        const whole = f32x4.add(loadFirst(slopes + at, left), loadFirst(upstream + from, left));
        const slope = slopeOf(kind, loadFirst(sums + from, left), loadFirst(states + from, left));
        const value = f32x4.mul(whole, slope);
        storeUpTo4(steps + at, value, left);
        storeUpTo4(gradient + from, value, left);
        at += 16;
        from += 16;
      }
    }
    timesPanels(steps, row4, 4, panels + <usize>t * panelStep, slopes, row4, active, width, width, 0, true);
  }
  if (initialGradient == 0) return;
  for (let rank = 0; rank < mine; rank++) {
    memory.copy(initialGradient + <usize>sequenceAt(order, lane, lanes, rank) * row4, slopes + <usize>rank * row4, row4);
  }
}
