// Compiled form of workers/kernels/recurrent/recurrentKernelPair.ts for one row against a panel of eight columns at a time.
//
// Only Sigma(t, t + T' - T) is needed, so a pair's state is two numbers a layer. Sequences are aligned at their ends, and the
// recursion walks from the oldest common step to the newest. Eight pairs give four independent chains of vectors, which
// hide each other's latency. ReLU's recursion is that of the correlation: its moments grow as the product of the deviations,
// which each series has alone. Its values and slopes are 2 pi times as large: the numbers in the panels make up for it.
import { ACTIVATION_ERF, ACTIVATION_RELU } from '../fields/searchFields';
import { ACTIVATION, COEFFICIENTS, CONSTANTS_BYTES, COLUMN_LENGTHS, COLUMN_PANELS, COLUMN_PANEL_COUNT, COLUMN_SCALES, DIMENSION, IS_NNGP, LAYERS, NEXT_ROW, OUT, PANEL, ROW_LENGTHS, ROW_PANELS, ROW_SCALES, SCRATCH, SCRATCH_BYTES, STEPS, SYMMETRIC, WIDTH } from '../fields/gramFields';
import { erfRoot, erfValue } from './exactPattern';
import { field } from './memory';
import { addProduct2 } from './multiplyAdd';
import { placeReluConstants, reluMoments4 } from './reluMoments';

const CHAINS: u32 = PANEL / 2;
/** Bytes of one layer's state: values of the panel, then gradients. */
const STATE_BYTES: usize = PANEL * 16;

/** Rows `from` to `to` - 1 of the job's Gram matrix: each lane takes the next one as soon as it is free. */
export function recurrentGram(lane: i32, lanes: i32, job: usize, from: u32, to: u32): void {
  const panels = field(job, COLUMN_PANEL_COUNT);
  const steps = field(job, STEPS);
  const width = field(job, WIDTH);
  const panelBytes = <usize>steps * width * (PANEL * 8);
  const scratch = <usize>field(job, SCRATCH) + <usize>lane * field(job, SCRATCH_BYTES);
  const activation = field(job, ACTIVATION);
  placeReluConstants(scratch + <usize>steps * width * 8, field(job, DIMENSION));
  for (;;) {
    const row = atomic.add<u32>(job + (NEXT_ROW << 2), 1);
    if (row >= to) return;
    const rowLength = <u32>load<f64>(<usize>field(job, ROW_LENGTHS) + (<usize>row << 3));
    const rowScale = load<f64>(<usize>field(job, ROW_SCALES) + (<usize>row << 3));
    takeRow(job, <usize>field(job, ROW_PANELS) + <usize>(row / PANEL) * panelBytes + ((row % PANEL) << 3), rowLength, scratch);
    const out = <usize>field(job, OUT) + <usize>(row - from) * panels * (PANEL * 8);
    for (let panel = field(job, SYMMETRIC) ? row / PANEL : 0; panel < panels; panel++) {
      const columns = <usize>field(job, COLUMN_PANELS) + <usize>panel * panelBytes;
      const to = out + <usize>panel * (PANEL * 8);
      if (activation === ACTIVATION_RELU) panelOf<Relu>(job, scratch, rowLength, rowScale, columns, panel, to);
      else if (activation === ACTIVATION_ERF) panelOf<Erf>(job, scratch, rowLength, rowScale, columns, panel, to);
      else panelOf<Linear>(job, scratch, rowLength, rowScale, columns, panel, to);
    }
  }
}

// Types that stand for the activations, so that each gets a loop of its own.
class Relu {}
class Erf {}
class Linear {}

/** Copies one series out of its panel, its numbers side by side, inputs whose coefficient is not in them times it. */
function takeRow(job: usize, from: usize, length: u32, to: usize): void {
  const weighted: u32 = field(job, ACTIVATION) === ACTIVATION_RELU ? 0 : field(job, DIMENSION);
  const width = field(job, WIDTH);
  const weight = load<f64>(<usize>field(job, COEFFICIENTS), 8);
  for (let step: u32 = 0; step < length; step++) {
    for (let i: u32 = 0; i < width; i++) {
      const number = load<f64>(from);
      store<f64>(to, i < weighted ? weight * number : number);
      from += PANEL * 8;
      to += 8;
    }
  }
}

function panelOf<Phi>(
  job: usize,
  row: usize,
  rowLength: u32,
  rowScale: f64,
  columns: usize,
  panel: u32,
  out: usize,
): void {
  const dimension = field(job, DIMENSION);
  const layers = field(job, LAYERS);
  const width: usize = field(job, WIDTH);
  const coefficients = <usize>field(job, COEFFICIENTS);
  const lengths = <usize>field(job, COLUMN_LENGTHS) + <usize>panel * (PANEL * 8);
  const scales = <usize>field(job, COLUMN_SCALES) + <usize>panel * (PANEL * 8);
  const shortest = <u32>load<f64>(lengths);
  const longest = <u32>load<f64>(lengths + (PANEL - 1) * 8);
  const table = row + <usize>field(job, STEPS) * width * 8;
  const state = table + CONSTANTS_BYTES;
  memory.fill(state, 0, <usize>layers * STATE_BYTES);
  const start = min(rowLength, longest);
  for (let d: i32 = <i32>start - 1; d >= 0; d--) {
    const own = row + <usize>d * width * 8;
    const theirs = columns + <usize>d * width * (PANEL * 8);
    if (idof<Phi>() == idof<Relu>()) {
      reluStepOfFour(state, own, theirs, dimension, layers, table);
      reluStepOfFour(state + 32, own, theirs + 32, dimension, layers, table);
    } else {
      stepOfFour<Phi>(state, coefficients, own, theirs, dimension, layers);
      stepOfFour<Phi>(state + 32, coefficients, own, theirs + 32, dimension, layers);
    }
    if (<u32>d >= shortest) {
      for (let l: u32 = 0; l < layers; l++) clearInactive(state + <usize>l * STATE_BYTES, lengths, d);
    }
  }
  const top = state + <usize>(layers - 1) * STATE_BYTES;
  const isNngp = field(job, IS_NNGP) !== 0;
  for (let chain: u32 = 0; chain < CHAINS; chain++) {
    const at = top + (chain << 4);
    let result = v128.load(at, 0);
    if (!isNngp) result = f64x2.add(result, v128.load(at, PANEL * 8));
    const scale = f64x2.mul(f64x2.splat(rowScale), v128.load(scales + (chain << 4)));
    v128.store(out + (chain << 4), f64x2.mul(scale, result));
  }
}

/**
 * One step of all layers for four pairs in units of their deviations: `state` holds, of each layer, V[K] and, a panel further,
 * Psi V'[K], both times 2 pi.
 */
@inline
function reluStepOfFour(state: usize, own: usize, theirs: usize, dimension: u32, layers: u32, table: usize): void {
  for (let l: u32 = 0; l < layers; l++) {
    const at = state + <usize>l * STATE_BYTES;
    const bias = v128.load64_splat(own);
    let correlationA = f64x2.mul(bias, v128.load(theirs, 0));
    let correlationB = f64x2.mul(bias, v128.load(theirs, 16));
    let belowA = f64x2.splat(0);
    let belowB = belowA;
    if (l > 0) {
      const below = v128.load64_splat(own, 8);
      const weightA = f64x2.mul(below, v128.load(theirs, PANEL * 8));
      const weightB = f64x2.mul(below, v128.load(theirs, PANEL * 8 + 16));
      correlationA = addProduct2(correlationA, weightA, v128.load(at - STATE_BYTES, 0));
      correlationB = addProduct2(correlationB, weightB, v128.load(at - STATE_BYTES, 16));
      belowA = f64x2.mul(weightA, v128.load(at - STATE_BYTES, PANEL * 8));
      belowB = f64x2.mul(weightB, v128.load(at - STATE_BYTES, PANEL * 8 + 16));
      own += 8;
      theirs += PANEL * 8;
    } else {
      for (let k: u32 = 0; k < dimension; k++) {
        own += 8;
        theirs += PANEL * 8;
        const x = v128.load64_splat(own);
        correlationA = addProduct2(correlationA, x, v128.load(theirs, 0));
        correlationB = addProduct2(correlationB, x, v128.load(theirs, 16));
      }
    }
    const before = v128.load64_splat(own, 8);
    const memoryA = f64x2.mul(before, v128.load(theirs, PANEL * 8));
    const memoryB = f64x2.mul(before, v128.load(theirs, PANEL * 8 + 16));
    correlationA = addProduct2(correlationA, memoryA, v128.load(at, 0));
    correlationB = addProduct2(correlationB, memoryB, v128.load(at, 16));
    const psiA = addProduct2(f64x2.add(correlationA, belowA), memoryA, v128.load(at, PANEL * 8));
    const psiB = addProduct2(f64x2.add(correlationB, belowB), memoryB, v128.load(at, PANEL * 8 + 16));
    reluMoments4(at, PANEL * 8, correlationA, correlationB, psiA, psiB, table);
    own += 16;
    theirs += 2 * PANEL * 8;
  }
}

/** One step of all layers for four pairs; `state` is theirs in the first layer. */
@inline
function stepOfFour<Phi>(
  state: usize,
  coefficients: usize,
  own: usize,
  theirs: usize,
  dimension: u32,
  layers: u32,
): void {
  let inputA = v128.load64_splat(coefficients, 16);
  let inputB = inputA;
  for (let k: u32 = 0; k < dimension; k++) {
    const x = v128.load64_splat(own);
    inputA = addProduct2(inputA, x, v128.load(theirs, 0));
    inputB = addProduct2(inputB, x, v128.load(theirs, 16));
    own += 8;
    theirs += PANEL * 8;
  }
  for (let l: u32 = 0; l < layers; l++) {
    const at = state + <usize>l * STATE_BYTES;
    const by = coefficients + <usize>l * 24;
    advance<Phi>(at, by, own, theirs, inputA, inputB, l > 0);
    if (l + 1 < layers) {
      const weight = v128.load64_splat(by, 32);
      const bias = v128.load64_splat(by, 40);
      inputA = addProduct2(bias, weight, v128.load(at, 0));
      inputB = addProduct2(bias, weight, v128.load(at, 16));
    }
    own += 8;
    theirs += PANEL * 8;
  }
}

/**
 * One step of one layer for four pairs, the inputs with the bias in them: `at` holds V[K] and, a panel further, Psi V'[K];
 * those of the layer below stand before.
 */
@inline
function advance<Phi>(
  at: usize,
  by: usize,
  own: usize,
  theirs: usize,
  inputA: v128,
  inputB: v128,
  above: bool,
): void {
  const squareW = v128.load64_splat(by, 0);
  const sigmaA = f64x2.add(f64x2.mul(squareW, v128.load(at, 0)), inputA);
  const sigmaB = f64x2.add(f64x2.mul(squareW, v128.load(at, 16)), inputB);
  let psiA = addProduct2(sigmaA, squareW, v128.load(at, PANEL * 8));
  let psiB = addProduct2(sigmaB, squareW, v128.load(at, PANEL * 8 + 16));
  if (above) {
    const squareU = v128.load64_splat(by, 8);
    psiA = addProduct2(psiA, squareU, v128.load(at - STATE_BYTES, PANEL * 8));
    psiB = addProduct2(psiB, squareU, v128.load(at - STATE_BYTES, PANEL * 8 + 16));
  }
  if (idof<Phi>() == idof<Erf>()) {
    const variance = v128.load64_splat(own);
    erfMoments(at, sigmaA, psiA, f64x2.mul(variance, v128.load(theirs, 0)));
    erfMoments(at + 16, sigmaB, psiB, f64x2.mul(variance, v128.load(theirs, 16)));
  } else {
    v128.store(at, sigmaA, 0);
    v128.store(at, sigmaB, 16);
    v128.store(at, psiA, PANEL * 8);
    v128.store(at, psiB, PANEL * 8 + 16);
  }
}

@inline
function erfMoments(at: usize, sigma: v128, psi: v128, product: v128): void {
  const root = erfRoot(sigma, product);
  v128.store(at, erfValue(sigma, root), 0);
  v128.store(at, f64x2.mul(psi, f64x2.div(f64x2.splat(4 / Math.PI), root)), PANEL * 8);
}

/** Columns that have not begun yet at `d` steps before the end keep a state of 0. */
function clearInactive(at: usize, lengths: usize, d: i32): void {
  const now = f64x2.splat(<f64>d);
  for (let chain: u32 = 0; chain < CHAINS; chain++) {
    const active = f64x2.gt(v128.load(lengths + (chain << 4)), now);
    const to = at + (chain << 4);
    v128.store(to, v128.and(v128.load(to), active), 0);
    v128.store(to, v128.and(v128.load(to, PANEL * 8), active), PANEL * 8);
  }
}
