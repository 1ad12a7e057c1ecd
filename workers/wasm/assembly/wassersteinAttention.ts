// Compiled form of workers/tensor/operations/composedWassersteinAttention.ts. Scores are -½ of the squared distances, but for
// what all keys of a query have in common: q k - ½ |k|², of means and deviations together. Rows of query and key are means and
// then deviations, of values means and then variances: `half` bytes lie between the two.
import { attentionWeights, weightSlopes } from './attentionWeights';
import * as job from './attentionJob';
import { scores, timesRows, transposedTimesRows } from './attentionProducts';
import { addScaledRow, dotRows } from './vectorRows';

/** [tokens, 2 columns] at `out`: Σ w times the means, and Σ w² times the variances; `denominators` (tokens, heads) are kept. */
export function wassersteinForward(
  lane: i32, lanes: i32, query: usize, key: usize, value: usize, out: usize, denominators: usize,
  offsets: usize, sequences: i32, columns: i32, heads: i32, paddedLength: i32,
  scratch: usize, longest: i32, a: u32, b: u32, threshold: u32, keptScale: f32,
): void {
  job.begin(columns, heads, 1, paddedLength, 0, longest, a, b, threshold, keptScale);
  job.takePairs();
  job.useScratch(scratch, lane);
  const half = <usize>columns << 2;
  const last = job.firstSequence(offsets, sequences, lane + 1, lanes);
  for (let s = job.firstSequence(offsets, sequences, lane, lanes); s < last; s++) {
    const first = load<i32>(offsets + (<usize>s << 2));
    const length = load<i32>(offsets + (<usize>s << 2), 4) - first;
    for (let head = 0; head < heads; head++) {
      const at = <usize>first * job.rowBytes + <usize>head * job.headBytes;
      job.take(first, length, head);
      closeness(query + at, key + at, half);
      attentionWeights(0, denominators, true);
      timesRows(job.weights, value + at, out + at);
      squareWeights();
      timesRows(job.weights, value + at + half, out + at + half);
    }
  }
}

/** Gradients of query, key and value, of their shapes. `products` has a square of scratch for each lane. */
export function wassersteinBackward(
  lane: i32, lanes: i32, query: usize, key: usize, value: usize, upstream: usize, denominators: usize,
  toQuery: usize, toKey: usize, toValue: usize, products: usize,
  offsets: usize, sequences: i32, columns: i32, heads: i32, paddedLength: i32,
  scratch: usize, longest: i32, a: u32, b: u32, threshold: u32, keptScale: f32,
): void {
  job.begin(columns, heads, 1, paddedLength, 0, longest, a, b, threshold, keptScale);
  job.takePairs();
  job.useScratch(scratch, lane);
  const half = <usize>columns << 2;
  const own = products + <usize>lane * <usize>((longest + 7) & ~7) * job.strideBytes;
  const last = job.firstSequence(offsets, sequences, lane + 1, lanes);
  for (let s = job.firstSequence(offsets, sequences, lane, lanes); s < last; s++) {
    const first = load<i32>(offsets + (<usize>s << 2));
    const length = load<i32>(offsets + (<usize>s << 2), 4) - first;
    for (let head = 0; head < heads; head++) {
      const at = <usize>first * job.rowBytes + <usize>head * job.headBytes;
      job.take(first, length, head);
      closeness(query + at, key + at, half);
      attentionWeights(0, denominators, false);
      scores(upstream + at, value + at, job.slopes, true);
      scores(upstream + at + half, value + at + half, own, true);
      addSquareSlopes(own);
      weightSlopes(upstream + at, 0);
      toPairs(query + at, key + at, toQuery + at, toKey + at);
      toPairs(query + at + half, key + at + half, toQuery + at + half, toKey + at + half);
      transposedTimesRows(job.weights, upstream + at, toValue + at);
      squareWeights();
      transposedTimesRows(job.weights, upstream + at + half, toValue + at + half);
    }
  }
}

/** Weights (length, stride) become q k - ½ |k|². */
function closeness(query: usize, key: usize, half: usize): void {
  scores(query, key, job.weights, true);
  scores(query + half, key + half, job.weights, false);
  const norms = job.padSlopes;
  for (let j = 0; j < job.length; j++) {
    const row = key + <usize>j * job.rowBytes;
    const norm = dotRows(row, row, job.width) + dotRows(row + half, row + half, job.width);
    f32.store(norms + (<usize>j << 2), <f32>0.5 * norm);
  }
  for (let i = 0; i < job.length; i++) {
    const row = job.weights + <usize>i * job.strideBytes;
    for (let at: usize = 0; at < seenBytes(i); at += 16) {
      v128.store(row + at, f32x4.sub(v128.load(row + at), v128.load(norms + at)));
    }
  }
}

/** Bytes of the weights that row `i` sees, up to a multiple of four. */
@inline
function seenBytes(i: i32): usize {
  return <usize>((job.seenKeys(i) + 3) & ~3) << 2;
}

function squareWeights(): void {
  for (let i = 0; i < job.length; i++) {
    const row = job.weights + <usize>i * job.strideBytes;
    for (let at: usize = 0; at < seenBytes(i); at += 16) {
      const weight = v128.load(row + at);
      v128.store(row + at, f32x4.mul(weight, weight));
    }
  }
}

/**
 * Slopes gain 2 p times those of the squared weights, p being without dropout. A square has its factor twice: `weightSlopes`
 * applies it once, where it is not 0 the other is the same for all.
 */
function addSquareSlopes(own: usize): void {
  const factor = f32x4.splat(2 * job.keptScale);
  for (let i = 0; i < job.length; i++) {
    const start = <usize>i * job.strideBytes;
    for (let at = start; at < start + seenBytes(i); at += 16) {
      const kept = f32x4.mul(factor, v128.load(job.weights + at));
      const more = f32x4.mul(kept, v128.load(own + at));
      v128.store(job.slopes + at, f32x4.add(v128.load(job.slopes + at), more));
    }
  }
}

/** Gradients of one half: query gains D k, key Dᵀ q less its own times the sums of D's columns. */
function toPairs(query: usize, key: usize, toQuery: usize, toKey: usize): void {
  timesRows(job.slopes, key, toQuery);
  transposedTimesRows(job.slopes, query, toKey);
  for (let j = 0; j < job.length; j++) {
    let sum: f32 = 0;
    for (let i = j; i < job.length; i++) sum += f32.load(job.slopes + <usize>i * job.strideBytes + (<usize>j << 2));
    const row = <usize>j * job.rowBytes;
    addScaledRow(toKey + row, key + row, -sum, job.width);
  }
}
