import { arcCosine } from '#workers/math/activations/arcCosine.ts';
import {
  emptyPatternKernelTables,
  oldestMatch,
  type PatternKernel,
  type PatternKernelOptions,
} from './patternKernelTables.ts';
import { recurrentCoefficients } from '../recurrent/recurrentCoefficients.ts';

const f = Math.fround;
const PI = f(Math.PI);
const TWO_PI = f(2 * Math.PI);

/** Sigma, clamped to [-1, 1], and Theta after a time step, in single precision. */
interface State {
  sigma: number;
  theta: number;
}

/**
 * The published code's recursion over match patterns (docs/errata.md, 7; the functions `RNTK_relu` and `RNTK_first_time_step` of the
 * OverRec repository): no sqrt(K1 K2), no recursion of the variances, Sigma clamped to [-1, 1] before each use, one layer,
 * sigma_h unused, every operation rounded to single precision in its order. A step where a sequence was still padded
 * before takes nothing from the past, which is the code's mask.
 */
export function authorPatternKernel(options: PatternKernelOptions): PatternKernel {
  const tables = emptyPatternKernelTables(options);
  const coefficients = authorCoefficients(options);
  const width = options.maximumLength + 1;
  const state: State = { sigma: 0, theta: 0 };
  for (let t = 1; t < width; t++) {
    for (let s = 1; s < width; s++) {
      const before = (t - 1) * width + s - 1;
      state.sigma = tables.values[before];
      state.theta = tables.gradients[before];
      advance(coefficients, state, { first: t === 1 || s === 1, match: 0 });
      tables.values[t * width + s] = state.sigma;
      tables.gradients[t * width + s] = state.theta;
      tables.unmatched[t * width + s] = readOut(coefficients, state, options.kernel);
    }
  }
  return {
    tables,
    value(length, otherLength, mask, at) {
      const oldest = oldestMatch(mask, at, tables.maskWords);
      if (oldest < 0) return tables.unmatched[length * width + otherLength];
      const before = (length - oldest - 1) * width + otherLength - oldest - 1;
      state.sigma = tables.values[before];
      state.theta = tables.gradients[before];
      let first = oldest + 1 === Math.min(length, otherLength);
      for (let d = oldest; d >= 0; d--) {
        advance(coefficients, state, { first, match: (mask[at + (d >> 5)] >>> (d & 31)) & 1 });
        first = false;
      }
      return readOut(coefficients, state, options.kernel);
    },
  };
}

/** The code's Python scalars, rounded as torch rounds them when they meet a single precision tensor. */
export interface AuthorCoefficients {
  squareW: number;
  squareU: number;
  squareB: number;
  squareV: number;
  /** sigma_W^2 / (2 pi) and sigma_V^2 / (2 pi). */
  memory: number;
  output: number;
}

export function authorCoefficients({ network }: PatternKernelOptions): AuthorCoefficients {
  const { squareW, squareU, squareB, squareV } = recurrentCoefficients(network);
  return {
    squareW: f(squareW[0]),
    squareU: f(squareU[0]),
    squareB: f(squareB[0]),
    squareV: f(squareV),
    memory: f(squareW[0] * (1 / (2 * Math.PI))),
    output: f(squareV * (1 / (2 * Math.PI))),
  };
}

function advance(by: AuthorCoefficients, state: State, { first, match }: { first: boolean; match: number }): void {
  const input = match === 1 ? by.squareU : 0;
  if (first) {
    const sigma = f(input + by.squareB);
    state.theta = sigma;
    state.sigma = clamped(sigma);
    return;
  }
  const angle = f(PI - f(arcCosine(state.sigma)));
  const sigma = f(f(input + f(by.memory * moment(state.sigma, angle))) + by.squareB);
  state.theta = f(f(f(f(by.squareW * state.theta) * angle) / TWO_PI) + sigma);
  state.sigma = clamped(sigma);
}

function readOut(by: AuthorCoefficients, state: State, kernel: 'rntk' | 'nngp'): number {
  const angle = f(PI - f(arcCosine(state.sigma)));
  const nngp = f(by.output * moment(state.sigma, angle));
  return kernel === 'nngp' ? nngp : f(f(f(f(by.squareV * state.theta) * angle) / TWO_PI) + nngp);
}

/** g (pi - arccos g) + sqrt(1 - g^2). */
function moment(g: number, angle: number): number {
  return f(f(g * angle) + f(Math.sqrt(f(1 - f(g * g)))));
}

function clamped(sigma: number): number {
  return sigma > 1 ? 1 : Math.max(sigma, -1);
}
