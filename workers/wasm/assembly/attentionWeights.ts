// The softmax of attention and its gradient, with dropout and with pads that count as one key many times.
import * as job from './attentionJob';
import { counterBits, keptScale4 } from './counterRandom';
import { exp4, log4 } from './floatMath';
import { addProduct4 } from './multiplyAdd';
import { dotRows } from './vectorRows';

/** Less than any score, and its exponential is 0. */
const UNSEEN: f32 = -1e30;

@inline
function sum4(x: v128): f32 {
  return f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1) + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3));
}

@inline
function exponential(x: f32): f32 {
  return f32x4.extract_lane(exp4(f32x4.splat(x)), 0);
}

/** Scores from `seen` to a multiple of four are made to weigh nothing. */
@inline
function hideRest(row: usize, seen: i32): void {
  for (let j = seen; j & 3; j++) f32.store(row + (<usize>j << 2), UNSEEN);
}

function greatest(row: usize, end: usize): f32 {
  let most = f32x4.splat(UNSEEN);
  for (let at = row; at < end; at += 16) most = f32x4.pmax(most, v128.load(at));
  const pair = f32x4.pmax(most, v128.shuffle<f32>(most, most, 2, 3, 0, 1));
  return max<f32>(f32x4.extract_lane(pair, 0), f32x4.extract_lane(pair, 1));
}

/**
 * Scores become weights. Forward: normalised, with dropout applied, the pads' together in `padWeights`, and the logarithm
 * of the denominator kept. Backward: normalised by what was kept, without dropout, that of one pad in `padWeights`.
 */
export function attentionWeights(query: usize, denominators: usize, isForward: bool): void {
  const scale = f32x4.splat(job.scale);
  for (let i = 0; i < job.length; i++) {
    const row = job.weights + <usize>i * job.strideBytes;
    const seen = job.seenKeys(i);
    const end = row + (<usize>((seen + 3) & ~3) << 2);
    const kept = denominators + job.denominatorIndex(i);
    let padScore: f32 = UNSEEN;
    if (job.padCount) padScore = dotRows(query + <usize>i * job.rowBytes, job.padKey, job.width) * job.scale;
    hideRest(row, seen);
    let shift: f32 = 0;
    if (isForward) shift = max<f32>(greatest(row, end) * job.scale, padScore);
    else shift = f32.load(kept);
    const shift4 = f32x4.splat(shift);
    let sums = f32x4.splat(0);
    for (let at = row; at < end; at += 16) {
      const weight = exp4(f32x4.sub(f32x4.mul(v128.load(at), scale), shift4));
      sums = f32x4.add(sums, weight);
      v128.store(at, weight);
    }
    let padWeight: f32 = 0;
    if (job.padCount) padWeight = exponential(padScore - shift);
    if (isForward) {
      const sum = sum4(sums) + padWeight * <f32>job.padCount;
      f32.store(kept, shift + f32x4.extract_lane(log4(f32x4.splat(sum)), 0));
      finishForward(row, end, i, <f32>1 / sum);
      if (job.padCount) padWeight *= keptPads(i) / sum;
    }
    f32.store(job.padWeights + (<usize>i << 2), padWeight);
  }
}

/** Divides by the sum and drops. */
@inline
function finishForward(row: usize, end: usize, i: i32, share: f32): void {
  const share4 = f32x4.splat(share);
  if (job.threshold == 0) {
    for (let at = row; at < end; at += 16) v128.store(at, f32x4.mul(v128.load(at), share4));
    return;
  }
  const a = i32x4.splat(job.keyA);
  const b = i32x4.splat(job.keyB);
  const limit = i32x4.splat(job.threshold);
  const factor = f32x4.splat(job.keptScale * share);
  let number = job.weightNumber(i);
  for (let at = row; at < end; at += 16, number += 4) {
    v128.store(at, f32x4.mul(v128.load(at), keptScale4(a, b, number, limit, factor)));
  }
}

/** How many pads row `i` keeps, over 1 - rate. */
function keptPads(i: i32): f32 {
  if (job.threshold == 0) return <f32>job.padCount;
  const from = job.weightNumber(i) + job.length;
  let count = 0;
  for (let pad = 0; pad < job.padCount; pad++) {
    if (counterBits(job.keyA, job.keyB, from + pad) >= job.threshold) count++;
  }
  return <f32>count * job.keptScale;
}

/**
 * `slopes` hold upstream · value of each weight, `weights` the weights p without dropout. With k the factor of dropout,
 * g = k · slope and m = Σ p g: weights become k p, slopes p (g - m) · scale; the same for the pads, all of a row together.
 */
export function weightSlopes(upstream: usize, padValue: usize): void {
  const a = i32x4.splat(job.keyA);
  const b = i32x4.splat(job.keyB);
  const limit = i32x4.splat(job.threshold);
  const factor = f32x4.splat(job.keptScale);
  for (let i = 0; i < job.length; i++) {
    const start = <usize>i * job.strideBytes;
    const row = job.weights + start;
    const slopes = job.slopes + start;
    const bytes = <usize>((job.seenKeys(i) + 3) & ~3) << 2;
    const pads = job.padWeights + (<usize>i << 2);
    const one = f32.load(pads);
    let sums = f32x4.splat(0);
    let number = job.weightNumber(i);
    hideSlopes(slopes, job.seenKeys(i));
    for (let at: usize = 0; at < bytes; at += 16, number += 4) {
      let slope = v128.load(slopes + at);
      if (job.threshold) slope = f32x4.mul(slope, keptScale4(a, b, number, limit, factor));
      sums = addProduct4(sums, v128.load(row + at), slope);
      v128.store(slopes + at, slope);
    }
    let mean = sum4(sums);
    let padSlope: f32 = 0;
    if (job.padCount) {
      const together = one * keptPads(i);
      padSlope = together * dotRows(upstream + <usize>i * job.rowBytes, padValue, job.width);
      mean += padSlope;
      padSlope = (padSlope - one * <f32>job.padCount * mean) * job.scale;
      f32.store(pads, together);
    }
    f32.store(job.padSlopes + (<usize>i << 2), padSlope);
    finishSlopes(row, slopes, bytes, i, mean);
  }
}

/** What lies past the seen keys may be anything; its weight is 0, and so must be its product with it. */
@inline
function hideSlopes(row: usize, seen: i32): void {
  for (let j = seen; j & 3; j++) f32.store(row + (<usize>j << 2), 0);
}

@inline
function finishSlopes(row: usize, slopes: usize, bytes: usize, i: i32, mean: f32): void {
  const a = i32x4.splat(job.keyA);
  const b = i32x4.splat(job.keyB);
  const limit = i32x4.splat(job.threshold);
  const factor = f32x4.splat(job.keptScale);
  const scale = f32x4.splat(job.scale);
  const mean4 = f32x4.splat(mean);
  let number = job.weightNumber(i);
  for (let at: usize = 0; at < bytes; at += 16, number += 4) {
    const weight = v128.load(row + at);
    v128.store(slopes + at, f32x4.mul(f32x4.mul(weight, scale), f32x4.sub(v128.load(slopes + at), mean4)));
    if (job.threshold) v128.store(row + at, f32x4.mul(weight, keptScale4(a, b, number, limit, factor)));
  }
}
