// Compiled form of workers/tensor/operations/composedAttention.ts. A lane has a run of whole sequences; each head of a sequence is
// a few small matrix products, computed by the tiles of the large ones. Forward keeps the logarithm of every softmax's
// denominator, from which backward makes the weights again.
import { attentionWeights, weightSlopes } from './attentionWeights';
import * as job from './attentionJob';
import { scores, timesRows, transposedTimesRows } from './attentionProducts';
import { addScaledRow } from './vectorRows';

/** Values of each token: what its keys' weights select, [tokens, columns] at `out`; `denominators` (tokens, heads) are kept. */
export function attentionForward(
  lane: i32, lanes: i32, query: usize, key: usize, value: usize, out: usize, denominators: usize,
  offsets: usize, sequences: i32, columns: i32, heads: i32, causal: i32, paddedLength: i32, padKey: usize, padValue: usize,
  scratch: usize, longest: i32, a: u32, b: u32, threshold: u32, keptScale: f32,
): void {
  job.begin(columns, heads, causal, paddedLength, padKey, longest, a, b, threshold, keptScale);
  job.useScratch(scratch, lane);
  const last = job.firstSequence(offsets, sequences, lane + 1, lanes);
  for (let s = job.firstSequence(offsets, sequences, lane, lanes); s < last; s++) {
    const first = load<i32>(offsets + (<usize>s << 2));
    const length = load<i32>(offsets + (<usize>s << 2), 4) - first;
    for (let head = 0; head < heads; head++) {
      const at = <usize>first * job.rowBytes + <usize>head * job.headBytes;
      job.take(first, length, head);
      scores(query + at, key + at, job.weights, true);
      attentionWeights(query + at, denominators, true);
      timesRows(job.weights, value + at, out + at);
      if (!job.padCount) continue;
      const shared = padValue + <usize>head * job.headBytes;
      for (let i = 0; i < length; i++) {
        addScaledRow(out + at + <usize>i * job.rowBytes, shared, f32.load(job.padWeights + (<usize>i << 2)), job.width);
      }
    }
  }
}

/**
 * Gradients of query, key and value. The lane's slot of `padGradients` (lanes, 2, columns), zeros before, gains those of
 * the pads' key and value.
 */
export function attentionBackward(
  lane: i32, lanes: i32, query: usize, key: usize, value: usize, upstream: usize, denominators: usize,
  toQuery: usize, toKey: usize, toValue: usize,
  offsets: usize, sequences: i32, columns: i32, heads: i32, causal: i32, paddedLength: i32, padKey: usize, padValue: usize,
  padGradients: usize, scratch: usize, longest: i32, a: u32, b: u32, threshold: u32, keptScale: f32,
): void {
  job.begin(columns, heads, causal, paddedLength, padKey, longest, a, b, threshold, keptScale);
  job.useScratch(scratch, lane);
  const slot = padGradients + <usize>lane * 2 * job.rowBytes;
  const last = job.firstSequence(offsets, sequences, lane + 1, lanes);
  for (let s = job.firstSequence(offsets, sequences, lane, lanes); s < last; s++) {
    const first = load<i32>(offsets + (<usize>s << 2));
    const length = load<i32>(offsets + (<usize>s << 2), 4) - first;
    for (let head = 0; head < heads; head++) {
      const shift = <usize>head * job.headBytes;
      const at = <usize>first * job.rowBytes + shift;
      job.take(first, length, head);
      scores(query + at, key + at, job.weights, true);
      attentionWeights(query + at, denominators, false);
      scores(upstream + at, value + at, job.slopes, true);
      weightSlopes(upstream + at, padValue + shift);
      timesRows(job.slopes, key + at, toQuery + at);
      transposedTimesRows(job.slopes, query + at, toKey + at);
      transposedTimesRows(job.weights, upstream + at, toValue + at);
      if (job.padCount) padGradient(query + at, upstream + at, toQuery + at, slot + shift);
    }
  }
}

/** What the pads add to the gradient of query, and to their own key's and value's. */
function padGradient(query: usize, upstream: usize, toQuery: usize, slot: usize): void {
  for (let i = 0; i < job.length; i++) {
    const row = <usize>i * job.rowBytes;
    const slope = f32.load(job.padSlopes + (<usize>i << 2));
    addScaledRow(toQuery + row, job.padKey, slope, job.width);
    addScaledRow(slot, query + row, slope, job.width);
    addScaledRow(slot + job.rowBytes, upstream + row, f32.load(job.padWeights + (<usize>i << 2)), job.width);
  }
}
