// Compiled form of test/unit/features/wordVectorsReference.ts, which says what is computed.
import {
  ALIAS, CELL, INPUT, KEPT, LANE_BYTES, LANE_KEPT, LANE_LOSS, LANE_MEAN, LANE_PAIRS, LANE_SLOPE, LANE_TARGETS,
  LANE_TOKENS, LANES, LOSS_EVERY, MODEL, NEGATIVES, OFFSETS, ORDER, OUTPUT, PV_DBOW, PV_DM, SHRINKS, SKIP_GRAM, STRIDE,
  TOKENS, WHOLE_UPDATES, WINDOW, WORDS,
} from '../fields/wordVectorFields';
import { log4, sigmoid4 } from './floatMath';
import { field } from './memory';
import { addProduct4 } from './multiplyAdd';

/** xoshiro128**, as workers/math/random/randomGenerator.ts has it; the state stands at the lane's first four words. */
@inline
function nextBits(lane: usize): u32 {
  const b = load<u32>(lane, 4);
  const result = rotl<u32>(b * 5, 7) * 9;
  const c = load<u32>(lane, 8) ^ load<u32>(lane);
  const d = load<u32>(lane, 12) ^ b;
  store<u32>(lane, b ^ c, 4);
  store<u32>(lane, load<u32>(lane) ^ d);
  store<u32>(lane, c ^ (b << 9), 8);
  store<u32>(lane, rotl<u32>(d, 11), 12);
  return result;
}

@inline
function below(lane: usize, n: u32): u32 {
  return <u32>((<u64>nextBits(lane) * n) >> 32);
}

/** The sums of each of four vectors, as one. */
@inline
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab0 = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const ab1 = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const cd0 = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const cd1 = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  const ab = f32x4.add(ab0, ab1);
  const cd = f32x4.add(cd0, cd1);
  const low = v128.shuffle<f32>(ab, cd, 0, 1, 4, 5);
  const high = v128.shuffle<f32>(ab, cd, 2, 3, 6, 7);
  return f32x4.add(low, high);
}

/**
 * One step for up to four targets of `source`, whose first is the positive one where `hasPositive`: outputs move, the slope of
 * the source is added to `slope`. Missing targets are the lane's row of zeros. Returns the sum of the losses when wanted.
 */
function stepFour(
  source: usize, slope: usize, targets: usize, count: i32, bytes: usize, hasPositive: bool, rate: f32, keep: f32,
  wantsLoss: bool,
): f32 {
  const t0 = <usize>load<u32>(targets);
  const t1 = <usize>load<u32>(targets, 4);
  const t2 = <usize>load<u32>(targets, 8);
  const t3 = <usize>load<u32>(targets, 12);
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = v128.load(source + at);
    a = addProduct4(a, x, v128.load(t0 + at));
    b = addProduct4(b, x, v128.load(t1 + at));
    c = addProduct4(c, x, v128.load(t2 + at));
    d = addProduct4(d, x, v128.load(t3 + at));
  }
  const probabilities = sigmoid4(sums(a, b, c, d));
  const label = f32x4.replace_lane(f32x4.splat(0), 0, hasPositive ? 1 : 0);
  const present = i32x4.gt_s(i32x4.splat(count), i32x4(0, 1, 2, 3));
  const slopes = v128.and(present, f32x4.mul(f32x4.sub(label, probabilities), f32x4.splat(rate)));
  const g0 = v128.shuffle<f32>(slopes, slopes, 0, 0, 0, 0);
  const g1 = v128.shuffle<f32>(slopes, slopes, 1, 1, 1, 1);
  const g2 = v128.shuffle<f32>(slopes, slopes, 2, 2, 2, 2);
  const g3 = v128.shuffle<f32>(slopes, slopes, 3, 3, 3, 3);
  const kept = f32x4.splat(keep);
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = v128.load(source + at);
    let e = v128.load(slope + at);
    let t = v128.load(t0 + at);
    e = addProduct4(e, g0, t);
    v128.store(t0 + at, addProduct4(f32x4.mul(t, kept), g0, x));
    t = v128.load(t1 + at);
    e = addProduct4(e, g1, t);
    v128.store(t1 + at, addProduct4(f32x4.mul(t, kept), g1, x));
    t = v128.load(t2 + at);
    e = addProduct4(e, g2, t);
    v128.store(t2 + at, addProduct4(f32x4.mul(t, kept), g2, x));
    t = v128.load(t3 + at);
    e = addProduct4(e, g3, t);
    v128.store(t3 + at, addProduct4(f32x4.mul(t, kept), g3, x));
    v128.store(slope + at, e);
  }
  if (!wantsLoss) return 0;
  // -log p for the positive, -log(1 - p) for the others, of a p that is not 0
  const right = v128.bitselect(probabilities, f32x4.sub(f32x4.splat(1), probabilities), f32x4.eq(label, f32x4.splat(1)));
  const logs = v128.and(present, log4(f32x4.max(right, f32x4.splat(1e-8))));
  return -f32x4.extract_lane(sums(logs, f32x4.splat(0), f32x4.splat(0), f32x4.splat(0)), 0);
}

/** Predicts `word` from `source` against negatives: outputs move, the slope of the source is left at the lane's slope. */
function predict(job: usize, lane: usize, source: usize, word: u32, rate: f32, keep: f32, wantsLoss: bool): void {
  const bytes = <usize>field(job, STRIDE) << 2;
  const output = <usize>field(job, OUTPUT);
  const targets = <usize>load<u32>(lane, LANE_TARGETS);
  const slope = <usize>load<u32>(lane, LANE_SLOPE);
  const words = field(job, WORDS);
  const cells = <usize>field(job, CELL);
  const aliases = <usize>field(job, ALIAS);
  store<u32>(targets, <u32>(output + <usize>word * bytes));
  let count = 1;
  for (let k = field(job, NEGATIVES); k > 0; k--) {
    const cell = below(lane, words);
    const at = <usize>cell << 2;
    const drawn = nextBits(lane) < load<u32>(cells + at) ? cell : load<u32>(aliases + at);
    if (drawn == word) continue;
    store<u32>(targets + (<usize>count << 2), <u32>(output + <usize>drawn * bytes));
    count++;
  }
  // the lane's row of zeros stands behind its slope
  const zeros = <u32>(slope + bytes);
  for (let k = count; (k & 3) != 0; k++) store<u32>(targets + (<usize>k << 2), zeros);
  memory.fill(slope, 0, bytes);
  let loss: f32 = 0;
  for (let k = 0; k < count; k += 4) {
    loss += stepFour(source, slope, targets + (<usize>k << 2), count - k, bytes, k == 0, rate, keep, wantsLoss);
  }
  if (wantsLoss) {
    store<f64>(lane, load<f64>(lane, LANE_LOSS) + loss, LANE_LOSS);
    store<f64>(lane, load<f64>(lane, LANE_PAIRS) + 1, LANE_PAIRS);
  }
}

/** row = keep × row + factor × the lane's slope */
@inline
function follow(row: usize, slope: usize, bytes: usize, factor: f32, keep: f32): void {
  const kept = f32x4.splat(keep);
  const scale = f32x4.splat(factor);
  for (let at: usize = 0; at < bytes; at += 16) {
    v128.store(row + at, addProduct4(f32x4.mul(v128.load(row + at), kept), v128.load(slope + at), scale));
  }
}

function addRow(to: usize, row: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) v128.store(to + at, f32x4.add(v128.load(to + at), v128.load(row + at)));
}

function scaleRow(row: usize, bytes: usize, factor: f32): void {
  for (let at: usize = 0; at < bytes; at += 16) v128.store(row + at, f32x4.mul(v128.load(row + at), f32x4.splat(factor)));
}

/** One token: predicts it from its context, or as the model has it. */
function trainToken(
  job: usize, lane: usize, sentence: u32, place: i32, count: i32, rate: f32, keep: f32, wantsLoss: bool,
): void {
  const model = field(job, MODEL);
  const bytes = <usize>field(job, STRIDE) << 2;
  const input = <usize>field(job, INPUT);
  const kept = <usize>load<u32>(lane, LANE_KEPT);
  const slope = <usize>load<u32>(lane, LANE_SLOPE);
  const word = load<u32>(kept + (<usize>place << 2));
  const document = input + (<usize>field(job, WORDS) + <usize>sentence) * bytes;
  if (model == PV_DBOW) {
    predict(job, lane, document, word, rate, keep, wantsLoss);
    follow(document, slope, bytes, 1, keep);
    return;
  }
  let window = <i32>field(job, WINDOW);
  if (field(job, SHRINKS) != 0) window = 1 + <i32>below(lane, <u32>window);
  const first = max(0, place - window);
  const last = min(count - 1, place + window);
  if (model == SKIP_GRAM) {
    for (let at = first; at <= last; at++) {
      if (at == place) continue;
      const row = input + <usize>load<u32>(kept + (<usize>at << 2)) * bytes;
      predict(job, lane, row, word, rate, keep, wantsLoss);
      follow(row, slope, bytes, 1, keep);
    }
    return;
  }
  const mean = <usize>load<u32>(lane, LANE_MEAN);
  memory.fill(mean, 0, bytes);
  let rows = last - first;
  for (let at = first; at <= last; at++) {
    if (at != place) addRow(mean, input + <usize>load<u32>(kept + (<usize>at << 2)) * bytes, bytes);
  }
  if (model == PV_DM) {
    addRow(mean, document, bytes);
    rows++;
  }
  if (rows == 0) return;
  const part: f32 = 1 / <f32>rows;
  scaleRow(mean, bytes, part);
  predict(job, lane, mean, word, rate, keep, wantsLoss);
  const share: f32 = field(job, WHOLE_UPDATES) != 0 ? 1 : part;
  for (let at = first; at <= last; at++) {
    if (at != place) follow(input + <usize>load<u32>(kept + (<usize>at << 2)) * bytes, slope, bytes, share, keep);
  }
  if (model == PV_DM) follow(document, slope, bytes, share, keep);
}

/**
 * Trains on the sentences at places `from` to `until` of the order; a lane takes every lanes-th. The learning rate falls from
 * `rate` by `fall` a token, all lanes' counted, to no less than `least`; vectors shrink by rate × decay at each step. With more than
 * one lane they write to the same vectors without waiting for each other (Recht et al., "Hogwild!", 2011).
 */
export function trainWordVectors(
  laneIndex: i32, lanes: i32, job: usize, from: i32, until: i32, rate: f32, fall: f32, least: f32, decay: f32,
): void {
  const lane = <usize>field(job, LANES) + <usize>laneIndex * <usize>field(job, LANE_BYTES);
  const offsets = <usize>field(job, OFFSETS);
  const tokens = <usize>field(job, TOKENS);
  const order = <usize>field(job, ORDER);
  const limits = <usize>field(job, KEPT);
  const kept = <usize>load<u32>(lane, LANE_KEPT);
  const lossEvery = field(job, LOSS_EVERY);
  let read: u32 = 0;
  let sinceLoss: u32 = 0;
  for (let place = from + laneIndex; place < until; place += lanes) {
    const sentence = load<u32>(order + (<usize>place << 2));
    const start = load<u32>(offsets + (<usize>sentence << 2));
    const end = load<u32>(offsets + (<usize>sentence << 2), 4);
    const now = max(least, rate - fall * <f32>(read * <u32>lanes));
    const keep: f32 = 1 - now * decay;
    let count = 0;
    for (let token = start; token < end; token++) {
      const word = load<u32>(tokens + (<usize>token << 2));
      const limit = load<u32>(limits + (<usize>word << 2));
      if (limit != 0xffffffff && nextBits(lane) > limit) continue;
      store<u32>(kept + (<usize>count << 2), word);
      count++;
    }
    for (let token = 0; token < count; token++) {
      let wantsLoss = false;
      if (lossEvery != 0 && ++sinceLoss == lossEvery) {
        wantsLoss = true;
        sinceLoss = 0;
      }
      trainToken(job, lane, sentence, token, count, now, keep, wantsLoss);
    }
    read += end - start;
  }
  store<f64>(lane, load<f64>(lane, LANE_TOKENS) + <f64>read, LANE_TOKENS);
}
