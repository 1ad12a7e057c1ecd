// Compiled form of workers/tensor/operations/{binaryCrossEntropy,bayesianPersonalisedRanking}.ts.
import { BAYESIAN_PERSONALISED_RANKING } from '../fields/sampledLossFields';
import { sigmoid4, softplus4 } from './floatMath';
import { partStart } from './lanes';
import { addScaledRow, dotRows } from './vectorRows';

/** Bytes from one lane's sum to the next: a cache line. */
const SUM_BYTES: usize = 64;

@inline
function sigmoid(x: f32): f32 {
  return f32x4.extract_lane(sigmoid4(f32x4.splat(x)), 0);
}

@inline
function softplus(x: f32): f32 {
  return f32x4.extract_lane(softplus4(f32x4.splat(x)), 0);
}

/**
 * Scores of `candidates` (positions, 1 + each), the first being the positive; their derivatives of `scale` × the loss go to
 * `slopes` (positions, 1 + each), the lane's share of the loss, a double, to `sums`.
 */
export function sampledLossForward(
  lane: i32, lanes: i32, hidden: usize, table: usize, candidates: usize, slopes: usize, sums: usize,
  kind: i32, positions: i32, each: i32, columns: i32, scale: f32,
): void {
  const bytes = <usize>columns << 2;
  const width = 1 + each;
  const share: f32 = 1 / <f32>each;
  const until = partStart(positions, lane + 1, lanes, 16);
  let loss: f64 = 0;
  for (let position = partStart(positions, lane, lanes, 16); position < until; position++) {
    const own = hidden + <usize>position * bytes;
    const items = candidates + (<usize>position * width << 2);
    const to = slopes + (<usize>position * width << 2);
    const positive = dotRows(own, table + <usize>i32.load(items) * bytes, columns);
    let slope: f32 = 0;
    if (kind != BAYESIAN_PERSONALISED_RANKING) {
      loss += softplus(-positive);
      slope = -sigmoid(-positive);
    }
    for (let k = 1; k < width; k++) {
      let score = dotRows(own, table + <usize>i32.load(items + (<usize>k << 2)) * bytes, columns);
      if (kind == BAYESIAN_PERSONALISED_RANKING) score -= positive;
      loss += softplus(score) * share;
      const part = sigmoid(score) * share;
      if (kind == BAYESIAN_PERSONALISED_RANKING) slope -= part;
      f32.store(to + (<usize>k << 2), part * scale);
    }
    f32.store(to, slope * scale);
  }
  f64.store(sums + <usize>lane * SUM_BYTES, loss);
}

/** to = scale × the sum of the doubles that `count` lanes left in `sums`, in their order. */
export function sumLanes(_lane: i32, _lanes: i32, sums: usize, to: usize, count: i32, scale: f64): void {
  let sum: f64 = 0;
  for (let lane = 0; lane < count; lane++) sum += f64.load(sums + <usize>lane * SUM_BYTES);
  f32.store(to, <f32>(sum * scale));
}

/**
 * Gradients in hidden, by positions, and in the table: a lane sums every lanes-th item in the order of the positions, the same
 * bits for any number of lanes. `upstream` is one float.
 */
export function sampledLossBackward(
  lane: i32, lanes: i32, hidden: usize, table: usize, candidates: usize, slopes: usize, upstream: usize,
  hiddenGradient: usize, tableGradient: usize, positions: i32, width: i32, columns: i32, items: i32,
): void {
  const bytes = <usize>columns << 2;
  const factor = f32.load(upstream);
  const until = partStart(positions, lane + 1, lanes, 16);
  for (let position = partStart(positions, lane, lanes, 16); position < until; position++) {
    const to = hiddenGradient + <usize>position * bytes;
    memory.fill(to, 0, bytes);
    for (let k = 0; k < width; k++) {
      const at = <usize>(position * width + k) << 2;
      addScaledRow(to, table + <usize>i32.load(candidates + at) * bytes, factor * f32.load(slopes + at), columns);
    }
  }
  for (let item = lane; item < items; item += lanes) memory.fill(tableGradient + <usize>item * bytes, 0, bytes);
  for (let position = 0; position < positions; position++) {
    const own = hidden + <usize>position * bytes;
    for (let k = 0; k < width; k++) {
      const at = <usize>(position * width + k) << 2;
      const item = i32.load(candidates + at);
      if (lanes > 1 && <u32>item % <u32>lanes != <u32>lane) continue;
      addScaledRow(tableGradient + <usize>item * bytes, own, factor * f32.load(slopes + at), columns);
    }
  }
}
