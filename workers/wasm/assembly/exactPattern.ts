// Compiled form of workers/kernels/pattern/exactPatternKernel.ts, two patterns at once: the same operations in the same order.
import { ACTIVATION, ACTIVATION_ERF, ACTIVATION_RELU, COEFFICIENTS, GRADIENTS, IS_NNGP, KEYS, LAYERS, MASK_WORDS, MAXIMUM_LENGTH, PATTERN_VALUES, SCALES, STATE, VALUES } from '../fields/searchFields';
import { arcCosine2 } from './arcCosine';
import { field, oldestMatch } from './memory';
import { polarAngle2 } from './polarAngle';

const INVERSE_TWO_PI: f64 = 1 / (2 * Math.PI);

/** Evaluates the patterns `from` to `to` - 1 of a table; a last odd one is computed twice. */
export function evaluateExact(job: usize, scratch: usize, from: u32, to: u32): void {
  for (let pattern = from; pattern < to; pattern += 2) {
    evaluateTwo(job, scratch, pattern, pattern + 1 < to ? pattern + 1 : pattern);
  }
}

function evaluateTwo(job: usize, scratch: usize, a: u32, b: u32): void {
  const words = field(job, MASK_WORDS);
  const keys = <usize>field(scratch, KEYS);
  const keyA = keys + (<usize>a) * ((words + 1) << 2);
  const keyB = keys + (<usize>b) * ((words + 1) << 2);
  const layers = field(job, LAYERS);
  const width = field(job, MAXIMUM_LENGTH) + 1;
  const layerBytes: usize = (<usize>width) * width * 8;
  const step: usize = (<usize>width + 1) * 8;
  const scales = <usize>field(job, SCALES);
  const state = <usize>field(scratch, STATE);
  const coefficients = <usize>field(job, COEFFICIENTS);
  const activation = field(job, ACTIVATION);

  const oldestA = oldestMatch(keyA + 4, words);
  const oldestB = oldestMatch(keyB + 4, words);
  // Addresses in the tables at the step before the oldest match; a pattern waits there until its own match is reached.
  let cellA = cellBefore(load<u32>(keyA), oldestA, width);
  let cellB = cellBefore(load<u32>(keyB), oldestB, width);
  for (let l: u32 = 0; l < layers; l++) {
    loadState(<usize>field(job, VALUES) + <usize>l * layerBytes, cellA, cellB, state + (l << 5));
    loadState(<usize>field(job, GRADIENTS) + <usize>l * layerBytes, cellA, cellB, state + (l << 5) + 16);
  }
  for (let d: i32 = oldestA > oldestB ? oldestA : oldestB; d >= 0; d--) {
    const activeA = d <= oldestA;
    const activeB = d <= oldestB;
    if (activeA) cellA += step;
    if (activeB) cellB += step;
    const active = i64x2.replace_lane(i64x2.splat(activeA ? -1 : 0), 1, activeB ? -1 : 0);
    let input = f64x2.replace_lane(f64x2.splat(matchAt(keyA, d)), 1, matchAt(keyB, d));
    let gradientBelow = f64x2.splat(0);
    for (let l: u32 = 0; l < layers; l++) {
      const own = coefficients + l * 24;
      const squareW = v128.load64_splat(own, 0);
      const squareU = v128.load64_splat(own, 8);
      const squareB = v128.load64_splat(own, 16);
      const value = v128.load(state + (l << 5), 0);
      const gradient = v128.load(state + (l << 5), 16);
      const sigma = f64x2.add(f64x2.add(f64x2.mul(squareW, value), f64x2.mul(squareU, input)), squareB);
      const psi = f64x2.add(f64x2.add(sigma, f64x2.mul(squareW, gradient)), f64x2.mul(squareU, gradientBelow));
      const at = scales + <usize>l * layerBytes;
      const scale = f64x2.replace_lane(f64x2.splat(load<f64>(at + cellA)), 1, load<f64>(at + cellB));
      let newValue = sigma;
      let newGradient = psi;
      if (activation === ACTIVATION_RELU) {
        const c = correlation(sigma, scale);
        const angle = f64x2.sub(f64x2.splat(Math.PI), arcCosine2(c));
        newValue = f64x2.mul(reluValue(c, angle), scale);
        newGradient = f64x2.mul(psi, f64x2.mul(angle, f64x2.splat(INVERSE_TWO_PI)));
      } else if (activation === ACTIVATION_ERF) {
        const root = erfRoot(sigma, scale);
        newValue = erfValue(sigma, root);
        newGradient = f64x2.mul(psi, f64x2.div(f64x2.splat(4 / Math.PI), root));
      }
      newValue = v128.bitselect(newValue, value, active);
      newGradient = v128.bitselect(newGradient, gradient, active);
      v128.store(state + (l << 5), newValue, 0);
      v128.store(state + (l << 5), newGradient, 16);
      input = newValue;
      gradientBelow = newGradient;
    }
  }
  const top = state + ((layers - 1) << 5);
  const squareV = v128.load64_splat(coefficients + layers * 24);
  let result = f64x2.mul(squareV, v128.load(top, 0));
  if (!field(job, IS_NNGP)) result = f64x2.add(result, f64x2.mul(squareV, v128.load(top, 16)));
  const values = <usize>field(scratch, PATTERN_VALUES);
  store<f64>(values + ((<usize>a) << 3), f64x2.extract_lane(result, 0));
  store<f64>(values + ((<usize>b) << 3), f64x2.extract_lane(result, 1));
}

@inline
function cellBefore(lengths: u32, oldest: i32, width: u32): usize {
  const t = (lengths >> 16) - oldest - 1;
  const s = (lengths & 0xffff) - oldest - 1;
  return (<usize>(t * width + s)) << 3;
}

@inline
function loadState(table: usize, cellA: usize, cellB: usize, to: usize): void {
  store<f64>(to, load<f64>(table + cellA), 0);
  store<f64>(to, load<f64>(table + cellB), 8);
}

@inline
function matchAt(key: usize, d: i32): f64 {
  return <f64>((load<u32>(key + 4 + ((d >> 5) << 2)) >>> (d & 31)) & 1);
}

@inline
function correlation(sigma: v128, scale: v128): v128 {
  const one = f64x2.splat(1);
  const minusOne = f64x2.splat(-1);
  let c = f64x2.div(sigma, scale);
  c = v128.bitselect(one, c, f64x2.gt(c, one));
  c = v128.bitselect(minusOne, c, f64x2.lt(c, minusOne));
  return v128.and(c, f64x2.gt(scale, f64x2.splat(0)));
}

@inline
function reluValue(c: v128, angle: v128): v128 {
  const one = f64x2.splat(1);
  const root = f64x2.sqrt(f64x2.mul(f64x2.sub(one, c), f64x2.add(one, c)));
  return f64x2.mul(f64x2.add(f64x2.mul(c, angle), root), f64x2.splat(INVERSE_TWO_PI));
}

/** sqrt(scale - 4 sigma^2). */
@inline
export function erfRoot(sigma: v128, scale: v128): v128 {
  const square = f64x2.sub(scale, f64x2.mul(f64x2.mul(f64x2.splat(4), sigma), sigma));
  return f64x2.sqrt(f64x2.pmax(square, f64x2.splat(1)));
}

@inline
export function erfValue(sigma: v128, root: v128): v128 {
  const angle = polarAngle2(root, f64x2.mul(f64x2.splat(2), f64x2.abs(sigma)));
  return v128.or(f64x2.mul(angle, f64x2.splat(2 / Math.PI)), v128.and(sigma, f64x2.splat(-0.0)));
}
