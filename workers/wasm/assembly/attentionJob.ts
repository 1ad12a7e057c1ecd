// What the attention of the sequence and head at hand is about: each lane has an instance of the module, and so these
// variables, of its own.

export let width: i32 = 0;
export let rowBytes: usize = 0;
export let headBytes: usize = 0;
export let isCausal: bool = false;
export let scale: f32 = 1;
let heads: i32 = 1;
let paddedLength: i32 = 0;
let allPadKeys: usize = 0;

export let keyA: u32 = 0;
export let keyB: u32 = 0;
export let threshold: u32 = 0;
export let keptScale: f32 = 1;

/** Scratch: weights and their slopes (length, stride); panels of packed rows; a float a row for the pads. */
export let strideBytes: usize = 0;
export let weights: usize = 0;
export let slopes: usize = 0;
export let panels: usize = 0;
export let padWeights: usize = 0;
export let padSlopes: usize = 0;
let laneBytes: usize = 0;
let longestLength: i32 = 0;

export let firstToken: i32 = 0;
export let length: i32 = 0;
export let headIndex: i32 = 0;
/** How many pads there are before the first key; 0 where pads are masked. */
export let padCount: i32 = 0;
export let padKey: usize = 0;

export function begin(
  columns: i32, headCount: i32, causal: i32, padded: i32, padKeys: usize, longest: i32, a: u32, b: u32, limit: u32, kept: f32,
): void {
  heads = headCount;
  width = columns / headCount;
  rowBytes = <usize>columns << 2;
  headBytes = <usize>width << 2;
  isCausal = causal != 0;
  scale = <f32>1 / sqrt<f32>(<f32>width);
  paddedLength = padded;
  allPadKeys = padKeys;
  longestLength = longest;
  keyA = a;
  keyB = b;
  threshold = limit;
  keptScale = kept;
}

/** Turns to rows of two vectors each, means and deviations, whose products are minus half of squared distances. */
export function takePairs(): void {
  rowBytes *= 2;
  scale *= 2;
}

/** Lays out the lane's scratch, which is of `attentionScratchBytes` of workers/tensor/operations/fusedAttention.ts. */
export function useScratch(scratch: usize, lane: i32): void {
  const stride = <usize>((longestLength + 7) & ~7);
  const wide = <usize>((width + 7) & ~7);
  const square = (stride * stride) << 2;
  laneBytes = 2 * square + ((stride * wide) << 2) + 2 * (stride << 2);
  strideBytes = stride << 2;
  weights = scratch + <usize>lane * ((laneBytes + 63) & ~63);
  slopes = weights + square;
  panels = slopes + square;
  padWeights = panels + ((stride * wide) << 2);
  padSlopes = padWeights + (stride << 2);
}

/** Turns to a head of the sequence whose tokens are the `count` rows from `first`. */
export function take(first: i32, count: i32, head: i32): void {
  firstToken = first;
  length = count;
  headIndex = head;
  padCount = allPadKeys ? paddedLength - count : 0;
  padKey = allPadKeys + <usize>head * headBytes;
}

/** Which element of the (tokens, heads) denominators belongs to row `i` of the head at hand. */
@inline
export function denominatorIndex(i: i32): usize {
  return (<usize>(firstToken + i) * heads + headIndex) << 2;
}

/** Number of the first weight of row `i`, for the hash of dropout. */
@inline
export function weightNumber(i: i32): u32 {
  return <u32>((firstToken + i) * heads + headIndex) * paddedLength;
}

/** Keys that row `i` sees. */
@inline
export function seenKeys(i: i32): i32 {
  return isCausal ? i + 1 : length;
}

/** About what a sequence costs: its products, and what grows with its tokens. */
@inline
function work(offsets: usize, s: i32): i64 {
  const count = <i64>load<i32>(offsets + (<usize>s << 2), 4) - load<i32>(offsets + (<usize>s << 2));
  return count * (count + 12);
}

/** First sequence of the lane, so that all lanes have about the same work. */
export function firstSequence(offsets: usize, sequences: i32, lane: i32, lanes: i32): i32 {
  if (lane == lanes) return sequences;
  let all: i64 = 0;
  for (let s = 0; s < sequences; s++) all += work(offsets, s);
  const wanted = (all * lane) / lanes;
  let before: i64 = 0;
  let s = 0;
  for (; s < sequences && before < wanted; s++) before += work(offsets, s);
  return s;
}
