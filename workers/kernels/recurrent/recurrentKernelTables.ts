import { dualActivationOf } from '#workers/math/activations/activation.ts';
import { recurrentCoefficients } from './recurrentCoefficients.ts';
import type { RecurrentKernelParameters, RecurrentKernelValue } from './recurrentKernelParameters.ts';

/** One pair of sequences, by the inner products of their inputs. */
export interface SequencePair {
  /** T and T', at least 1. */
  lengths: readonly [number, number];
  /** <x_t, x'_t'> / m, t and t' from 0. */
  cross(t: number, tPrime: number): number;
  /** <x_t, x_t> / m of the first and of the second sequence. */
  norms: readonly [(t: number) => number, (t: number) => number];
  /** Whether both are the very same sample, not merely equal values: then they share their initial states. */
  sameSample: boolean;
}

export interface RecurrentKernelTables extends RecurrentKernelValue {
  /** Sigma[l][t][t'], l, t, t' from 0 (layers, T, T'). */
  sigma: number[][][];
  /** Pi[l][t] = Pi^(l, t, t + T' - T) for T <= T'; all others are 0 (RNTK ). T > T' runs over t'. */
  pi: number[][];
}

/** Sigma^(l,t,t)(x, x) of one sample with itself: (layers, T). */
export function recurrentVariances(
  parameters: RecurrentKernelParameters,
  length: number,
  norm: (t: number) => number,
): number[][] {
  const { layers } = parameters;
  const { squareW, squareU, squareB, squareH } = recurrentCoefficients(parameters);
  const phi = dualActivationOf(parameters.activation);
  const variances = Array.from({ length: layers }, () => new Array<number>(length).fill(0));
  for (let t = 0; t < length; t++) {
    for (let l = 0; l < layers; l++) {
      const before = t > 0 ? variances[l][t - 1] : 0;
      const memory = t > 0 ? phi.value(before, before, before) : squareH[l];
      const below = l > 0 ? variances[l - 1][t] : 0;
      const input = l > 0 ? phi.value(below, below, below) : norm(t);
      variances[l][t] = squareW[l] * memory + squareU[l] * input + squareB[l];
    }
  }
  return variances;
}

/**
 * The recurrent neural tangent kernel of one pair, by the literal equations of RNTK Appendix B.2 and B.3 with every
 * Sigma(t, t') and Pi: O(L T T') and plain. It is the oracle that faster forms are held against.
 * Sigma^(l,1,1), (t,1) and (1,t') take the layer below at the same time (docs/errata.md, 2); sigma_h enters where both are one sample.
 */
export function recurrentKernelTables(
  parameters: RecurrentKernelParameters,
  pair: SequencePair,
): RecurrentKernelTables {
  if (pair.lengths[0] > pair.lengths[1]) return recurrentKernelTables(parameters, transposed(pair));
  const [length, other] = pair.lengths;
  const { layers } = parameters;
  const { squareW, squareU, squareB, squareH, squareV } = recurrentCoefficients(parameters);
  const phi = dualActivationOf(parameters.activation);
  const first = recurrentVariances(parameters, length, pair.norms[0]);
  const second = recurrentVariances(parameters, other, pair.norms[1]);
  const sigma: number[][][] = [];
  for (let l = 0; l < layers; l++) {
    const layer = Array.from({ length }, () => new Array<number>(other).fill(0));
    sigma.push(layer);
    for (let t = 0; t < length; t++) {
      for (let s = 0; s < other; s++) {
        const memory =
          t > 0 && s > 0
            ? phi.value(first[l][t - 1], second[l][s - 1], layer[t - 1][s - 1])
            : t === 0 && s === 0 && pair.sameSample
              ? squareH[l]
              : 0;
        const input = l > 0 ? phi.value(first[l - 1][t], second[l - 1][s], sigma[l - 1][t][s]) : pair.cross(t, s);
        layer[t][s] = squareW[l] * memory + squareU[l] * input + squareB[l];
      }
    }
  }
  const tau = other - length;
  const slope = (l: number, t: number) => phi.slope(first[l][t], second[l][t + tau], sigma[l][t][t + tau]);
  const pi = Array.from({ length: layers }, () => new Array<number>(length).fill(0));
  for (let l = layers - 1; l >= 0; l--) {
    for (let t = length - 1; t >= 0; t--) {
      const later = t + 1 < length ? squareW[l] * pi[l][t + 1] : 0;
      const above = l + 1 < layers ? squareU[l + 1] * pi[l + 1][t] : 0;
      const readOut = l + 1 === layers && t + 1 === length ? squareV : 0;
      pi[l][t] = slope(l, t) * (later + above + readOut);
    }
  }
  const top = layers - 1;
  const nngp = squareV * phi.value(first[top][length - 1], second[top][other - 1], sigma[top][length - 1][other - 1]);
  let theta = nngp;
  for (let l = 0; l < layers; l++) for (let t = 0; t < length; t++) theta += pi[l][t] * sigma[l][t][t + tau];
  return { theta, nngp, sigma, pi };
}

function transposed(pair: SequencePair): SequencePair {
  return {
    lengths: [pair.lengths[1], pair.lengths[0]],
    cross: (t, s) => pair.cross(s, t),
    norms: [pair.norms[1], pair.norms[0]],
    sameSample: pair.sameSample,
  };
}
