// Compiled form of workers/tensor/operations/spanAttention.ts.
import { sigmoid4, exp4 } from './floatMath';
import { storeUpTo4 } from './lanes';
import { addProduct4 } from './multiplyAdd';
import { addScaledRow, dotRows, loadFirst } from './vectorRows';

@inline
function word(from: usize, index: i32): i32 {
  return load<i32>(from + (<usize>index << 2));
}

@inline
function exponential(x: f32): f32 {
  return f32x4.extract_lane(exp4(f32x4.splat(x)), 0);
}

@inline
function sum4(x: v128): f32 {
  return f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1) + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3));
}

/** Σ vector · σ(a + b) over a row */
function gated(a: usize, b: usize, vector: usize, columns: i32): f32 {
  let sum = f32x4.splat(0);
  for (let c = 0; c < columns; c += 4) {
    const at = <usize>c << 2;
    const left = columns - c;
    const gate = sigmoid4(f32x4.add(loadFirst(a + at, left), loadFirst(b + at, left)));
    sum = addProduct4(sum, loadFirst(vector + at, left), gate);
  }
  return sum4(sum);
}

/** The gradients of `gated` times `factor`, added to those of a, b and the vector. */
function spread(
  a: usize, b: usize, vector: usize, toA: usize, toB: usize, toVector: usize, factor: f32, columns: i32,
): void {
  const by = f32x4.splat(factor);
  const one = f32x4.splat(1);
  for (let c = 0; c < columns; c += 4) {
    const at = <usize>c << 2;
    const left = columns - c;
    const gate = sigmoid4(f32x4.add(loadFirst(a + at, left), loadFirst(b + at, left)));
    const scaled = f32x4.mul(by, gate);
    const slope = f32x4.mul(f32x4.mul(scaled, f32x4.sub(one, gate)), loadFirst(vector + at, left));
    storeUpTo4(toVector + at, f32x4.add(loadFirst(toVector + at, left), scaled), left);
    storeUpTo4(toA + at, f32x4.add(loadFirst(toA + at, left), slope), left);
    storeUpTo4(toB + at, f32x4.add(loadFirst(toB + at, left), slope), left);
  }
}

/** y (targets, width) and the weights (pairs): each target's own softmax over its span of sources. */
export function spanAttentionForward(
  lane: i32, lanes: i32, shares: usize, targetGroups: usize, firsts: usize, offsets: usize, query: usize, key: usize,
  vector: usize, values: usize, weights: usize, y: usize, columns: i32, width: i32,
): void {
  const rowBytes = <usize>columns << 2;
  const valueBytes = <usize>width << 2;
  const end = word(targetGroups, word(shares, lane + 1));
  for (let target = word(targetGroups, word(shares, lane)); target < end; target++) {
    const begin = word(offsets, target);
    const count = word(offsets, target + 1) - begin;
    const own = weights + (<usize>begin << 2);
    const first = <usize>word(firsts, target);
    const asks = query + <usize>target * rowBytes;
    let greatest: f32 = -Infinity;
    for (let s = 0; s < count; s++) {
      const score = gated(asks, key + (first + s) * rowBytes, vector, columns);
      store<f32>(own + (<usize>s << 2), score);
      greatest = max(greatest, score);
    }
    let total: f32 = 0;
    for (let s = 0; s < count; s++) {
      const share = exponential(load<f32>(own + (<usize>s << 2)) - greatest);
      store<f32>(own + (<usize>s << 2), share);
      total += share;
    }
    const to = y + <usize>target * valueBytes;
    memory.fill(to, 0, valueBytes);
    for (let s = 0; s < count; s++) {
      const share = load<f32>(own + (<usize>s << 2)) / total;
      store<f32>(own + (<usize>s << 2), share);
      addScaledRow(to, values + (first + s) * valueBytes, share, width);
    }
  }
}

/** Gradients; that of the vector is (groups, columns), to be summed. `scratch` (pairs) is overwritten. */
export function spanAttentionBackward(
  lane: i32, lanes: i32, shares: usize, targetGroups: usize, sourceGroups: usize, firsts: usize, offsets: usize,
  query: usize, key: usize, vector: usize, values: usize, weights: usize, upstream: usize, scratch: usize,
  queryGradient: usize, keyGradient: usize, vectorGradient: usize, valueGradient: usize, columns: i32, width: i32,
): void {
  const rowBytes = <usize>columns << 2;
  const valueBytes = <usize>width << 2;
  const last = word(shares, lane + 1);
  for (let group = word(shares, lane); group < last; group++) {
    const firstSource = <usize>word(sourceGroups, group);
    const sources = <usize>word(sourceGroups, group + 1) - firstSource;
    memory.fill(keyGradient + firstSource * rowBytes, 0, sources * rowBytes);
    memory.fill(valueGradient + firstSource * valueBytes, 0, sources * valueBytes);
    const toVector = vectorGradient + <usize>group * rowBytes;
    memory.fill(toVector, 0, rowBytes);
    const end = word(targetGroups, group + 1);
    for (let target = word(targetGroups, group); target < end; target++) {
      const begin = <usize>word(offsets, target) << 2;
      const count = word(offsets, target + 1) - word(offsets, target);
      const first = <usize>word(firsts, target);
      const from = upstream + <usize>target * valueBytes;
      let mean: f32 = 0;
      for (let s = 0; s < count; s++) {
        const at = begin + (<usize>s << 2);
        const value = first + s;
        const slope = dotRows(from, values + value * valueBytes, width);
        const share = load<f32>(weights + at);
        store<f32>(scratch + at, slope);
        mean += share * slope;
        addScaledRow(valueGradient + value * valueBytes, from, share, width);
      }
      const asks = query + <usize>target * rowBytes;
      const toQuery = queryGradient + <usize>target * rowBytes;
      memory.fill(toQuery, 0, rowBytes);
      for (let s = 0; s < count; s++) {
        const at = begin + (<usize>s << 2);
        const source = (first + s) * rowBytes;
        const slope = load<f32>(weights + at) * (load<f32>(scratch + at) - mean);
        spread(asks, key + source, vector, toQuery, keyGradient + source, toVector, slope, columns);
      }
    }
  }
}
