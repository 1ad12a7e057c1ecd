// Compiled form of workers/kernels/pattern/authorPatternKernel.ts: the same single precision operations in the same order.
import { COEFFICIENTS, GRADIENTS, IS_NNGP, KEYS, MASK_WORDS, MAXIMUM_LENGTH, PATTERN_VALUES, VALUES } from '../fields/searchFields';
import { arcCosine } from './arcCosine';
import { field, oldestMatch } from './memory';

const PI: f32 = <f32>Math.PI;
const TWO_PI: f32 = <f32>(2 * Math.PI);

/** Evaluates the patterns `from` to `to` - 1 of a table. */
export function evaluateAuthor(job: usize, scratch: usize, from: u32, to: u32): void {
  const words = field(job, MASK_WORDS);
  const values = <usize>field(scratch, PATTERN_VALUES);
  for (let pattern = from; pattern < to; pattern++) {
    const key = <usize>field(scratch, KEYS) + (<usize>pattern) * ((words + 1) << 2);
    store<f64>(values + ((<usize>pattern) << 3), <f64>evaluateOne(job, key, words));
  }
}

function evaluateOne(job: usize, key: usize, words: u32): f32 {
  const coefficients = <usize>field(job, COEFFICIENTS);
  const squareW = <f32>load<f64>(coefficients, 0);
  const squareU = <f32>load<f64>(coefficients, 8);
  const squareB = <f32>load<f64>(coefficients, 16);
  const memory = <f32>load<f64>(coefficients, 32);
  const width = field(job, MAXIMUM_LENGTH) + 1;
  const oldest = oldestMatch(key + 4, words);
  const t = (load<u32>(key) >> 16) - oldest - 1;
  const s = (load<u32>(key) & 0xffff) - oldest - 1;
  const cell = (<usize>(t * width + s)) << 3;
  let sigma = <f32>load<f64>(<usize>field(job, VALUES) + cell);
  let theta = <f32>load<f64>(<usize>field(job, GRADIENTS) + cell);
  let first = t === 0 || s === 0;
  for (let d = oldest; d >= 0; d--) {
    const matched = (load<u32>(key + 4 + ((d >> 5) << 2)) >>> (d & 31)) & 1;
    const input: f32 = matched ? squareU : 0;
    if (first) {
      theta = input + squareB;
      sigma = clamped(theta);
      first = false;
      continue;
    }
    const angle = PI - <f32>arcCosine(<f64>sigma);
    const next = input + memory * moment(sigma, angle) + squareB;
    theta = (squareW * theta * angle) / TWO_PI + next;
    sigma = clamped(next);
  }
  const angle = PI - <f32>arcCosine(<f64>sigma);
  const nngp = <f32>load<f64>(coefficients, 40) * moment(sigma, angle);
  if (field(job, IS_NNGP)) return nngp;
  return (<f32>load<f64>(coefficients, 24) * theta * angle) / TWO_PI + nngp;
}

@inline
function moment(g: f32, angle: f32): f32 {
  const square: f32 = g * g;
  const rest: f32 = <f32>1 - square;
  return g * angle + sqrt<f32>(rest);
}

@inline
function clamped(sigma: f32): f32 {
  return sigma > 1 ? 1 : sigma < -1 ? -1 : sigma;
}
