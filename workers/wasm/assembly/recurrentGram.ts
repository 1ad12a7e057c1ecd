// Twin of workers/kernels/recurrentKernelPair.ts for one row against a panel of eight columns at a time.
//
// Only Sigma(t, t + T' - T) is needed, so a pair's state is two numbers a layer. Sequences are aligned at their ends, and the
// recursion walks from the oldest common step to the newest. Eight pairs give four independent chains of vectors, which
// hide each other's latency. ReLU's values and slopes are kept 2 pi times as large: the coefficients make up for it.
import { ACTIVATION_ERF, ACTIVATION_RELU } from '../searchFields';
import { ACTIVATION, COEFFICIENTS, CONSTANTS_BYTES, COLUMN_LENGTHS, COLUMN_PANELS, COLUMN_PANEL_COUNT, DIMENSION, IS_NNGP, LAYERS, OUT, PANEL, ROW_LENGTHS, ROW_PANELS, SCRATCH, SCRATCH_BYTES, STEPS, SYMMETRIC } from '../gramFields';
import { erfRoot, erfValue } from './exactPattern';
import { field } from './memory';
import { placeReluConstants, reluMoments4 } from './reluAngle';

const CHAINS: u32 = PANEL / 2;
/** Bytes of one layer's state: values of the panel, then gradients. */
const STATE_BYTES: usize = PANEL * 16;

/** Rows `from` to `to` - 1 of the job's Gram matrix, every `lanes`-th of them on each lane. */
export function recurrentGram(lane: i32, lanes: i32, job: usize, from: u32, to: u32): void {
  const panels = field(job, COLUMN_PANEL_COUNT);
  const steps = field(job, STEPS);
  const width = field(job, DIMENSION) + field(job, LAYERS);
  const panelBytes = <usize>steps * width * (PANEL * 8);
  const scratch = <usize>field(job, SCRATCH) + <usize>lane * field(job, SCRATCH_BYTES);
  const activation = field(job, ACTIVATION);
  placeReluConstants(scratch + <usize>steps * width * 8);
  for (let row = from + lane; row < to; row += lanes) {
    const rowLength = <u32>load<f64>(<usize>field(job, ROW_LENGTHS) + (<usize>row << 3));
    takeRow(job, <usize>field(job, ROW_PANELS) + <usize>(row / PANEL) * panelBytes + ((row % PANEL) << 3), rowLength, scratch);
    const out = <usize>field(job, OUT) + <usize>(row - from) * panels * (PANEL * 8);
    for (let panel = field(job, SYMMETRIC) ? row / PANEL : 0; panel < panels; panel++) {
      const columns = <usize>field(job, COLUMN_PANELS) + <usize>panel * panelBytes;
      const to = out + <usize>panel * (PANEL * 8);
      if (activation === ACTIVATION_RELU) panelOf<Relu>(job, scratch, rowLength, columns, panel, to);
      else if (activation === ACTIVATION_ERF) panelOf<Erf>(job, scratch, rowLength, columns, panel, to);
      else panelOf<Linear>(job, scratch, rowLength, columns, panel, to);
    }
  }
}

// Types that stand for the activations, so that each gets a loop of its own.
class Relu {}
class Erf {}
class Linear {}

/** Copies one series out of its panel, its numbers side by side, the inputs times their coefficient. */
function takeRow(job: usize, from: usize, length: u32, to: usize): void {
  const dimension = field(job, DIMENSION);
  const width = dimension + field(job, LAYERS);
  const weight = load<f64>(<usize>field(job, COEFFICIENTS), 8);
  for (let step: u32 = 0; step < length; step++) {
    for (let i: u32 = 0; i < width; i++) {
      const number = load<f64>(from);
      store<f64>(to, i < dimension ? weight * number : number);
      from += PANEL * 8;
      to += 8;
    }
  }
}

function panelOf<Phi>(job: usize, row: usize, rowLength: u32, columns: usize, panel: u32, out: usize): void {
  const dimension = field(job, DIMENSION);
  const layers = field(job, LAYERS);
  const width: usize = dimension + layers;
  const coefficients = <usize>field(job, COEFFICIENTS);
  const lengths = <usize>field(job, COLUMN_LENGTHS) + <usize>panel * (PANEL * 8);
  const shortest = <u32>load<f64>(lengths);
  const longest = <u32>load<f64>(lengths + (PANEL - 1) * 8);
  const table = row + <usize>field(job, STEPS) * width * 8;
  const state = table + CONSTANTS_BYTES;
  memory.fill(state, 0, <usize>layers * STATE_BYTES);
  const start = min(rowLength, longest);
  for (let d: i32 = <i32>start - 1; d >= 0; d--) {
    const own = row + <usize>d * width * 8;
    const theirs = columns + <usize>d * width * (PANEL * 8);
    stepOfFour<Phi>(state, coefficients, own, theirs, dimension, layers, table);
    stepOfFour<Phi>(state + 32, coefficients, own, theirs + 32, dimension, layers, table);
    if (<u32>d >= shortest) {
      for (let l: u32 = 0; l < layers; l++) clearInactive(state + <usize>l * STATE_BYTES, lengths, d);
    }
  }
  const top = state + <usize>(layers - 1) * STATE_BYTES;
  const squareV = v128.load64_splat(coefficients + <usize>layers * 24);
  const isNngp = field(job, IS_NNGP) !== 0;
  for (let chain: u32 = 0; chain < CHAINS; chain++) {
    const at = top + (chain << 4);
    let result = f64x2.mul(squareV, v128.load(at, 0));
    if (!isNngp) result = f64x2.add(result, f64x2.mul(squareV, v128.load(at, PANEL * 8)));
    v128.store(out + (chain << 4), result);
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
  table: usize,
): void {
  let inputA = v128.load64_splat(coefficients, 16);
  let inputB = inputA;
  for (let k: u32 = 0; k < dimension; k++) {
    const x = v128.load64_splat(own);
    inputA = f64x2.add(inputA, f64x2.mul(x, v128.load(theirs, 0)));
    inputB = f64x2.add(inputB, f64x2.mul(x, v128.load(theirs, 16)));
    own += 8;
    theirs += PANEL * 8;
  }
  for (let l: u32 = 0; l < layers; l++) {
    const at = state + <usize>l * STATE_BYTES;
    const by = coefficients + <usize>l * 24;
    advance<Phi>(at, by, own, theirs, inputA, inputB, l > 0, table);
    if (l + 1 < layers) {
      const weight = v128.load64_splat(by, 32);
      const bias = v128.load64_splat(by, 40);
      inputA = f64x2.add(bias, f64x2.mul(weight, v128.load(at, 0)));
      inputB = f64x2.add(bias, f64x2.mul(weight, v128.load(at, 16)));
    }
    own += 8;
    theirs += PANEL * 8;
  }
}

/**
 * One step of one layer for four pairs, the inputs with the bias in them: `at` holds V[K] and, a panel further, Psi V'[K], both
 * times 2 pi for ReLU; those of the layer below stand before.
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
  table: usize,
): void {
  const squareW = v128.load64_splat(by, 0);
  const sigmaA = f64x2.add(f64x2.mul(squareW, v128.load(at, 0)), inputA);
  const sigmaB = f64x2.add(f64x2.mul(squareW, v128.load(at, 16)), inputB);
  let psiA = f64x2.add(sigmaA, f64x2.mul(squareW, v128.load(at, PANEL * 8)));
  let psiB = f64x2.add(sigmaB, f64x2.mul(squareW, v128.load(at, PANEL * 8 + 16)));
  if (above) {
    const squareU = v128.load64_splat(by, 8);
    psiA = f64x2.add(psiA, f64x2.mul(squareU, v128.load(at - STATE_BYTES, PANEL * 8)));
    psiB = f64x2.add(psiB, f64x2.mul(squareU, v128.load(at - STATE_BYTES, PANEL * 8 + 16)));
  }
  const variance = v128.load64_splat(own);
  const productA = f64x2.mul(variance, v128.load(theirs, 0));
  const productB = f64x2.mul(variance, v128.load(theirs, 16));
  if (idof<Phi>() == idof<Relu>()) {
    reluMoments4(at, PANEL * 8, sigmaA, sigmaB, psiA, psiB, productA, productB, table);
  } else if (idof<Phi>() == idof<Erf>()) {
    erfMoments(at, sigmaA, psiA, productA);
    erfMoments(at + 16, sigmaB, psiB, productB);
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
