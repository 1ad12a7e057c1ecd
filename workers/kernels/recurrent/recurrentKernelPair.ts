import { dualActivationOf } from '#workers/math/activations/activation.ts';
import { recurrentCoefficients } from './recurrentCoefficients.ts';
import type { RecurrentKernelParameters, RecurrentKernelValue } from './recurrentKernelParameters.ts';
import { recurrentVariances, type SequencePair } from './recurrentKernelTables.ts';

/**
 * RNTK and NNGP-RNN of one pair in O(L min(T, T')), by the forward form of OverRec Algorithms 1 and 2 for sequences of
 * different lengths: only Sigma(t, t + T' - T) is needed, and Psi^(l,t) = Sigma^(l,t) + sigma_W^2 Psi^(l,t-1) V' +
 * sigma_U^2 Psi^(l-1,t) V' gathers the sum of RNTK Eq. 9. Theta = K + sigma_V^2 Psi^(L,T) V' (docs/errata.md, 6).
 * Equal to `recurrentKernelTables` up to rounding.
 */
export function recurrentKernelPair(parameters: RecurrentKernelParameters, pair: SequencePair): RecurrentKernelValue {
  const [length, other] = pair.lengths;
  const { layers, activation } = parameters;
  const { squareW, squareU, squareB, squareH, squareV } = recurrentCoefficients(parameters);
  const phi = dualActivationOf(activation);
  const first = recurrentVariances(parameters, length, pair.norms[0]);
  const second = recurrentVariances(parameters, other, pair.norms[1]);
  const overlap = Math.min(length, other);
  /** V[K^(l,t)] and Psi^(l,t) V'[K^(l,t)] of each layer at the latest time. */
  const values = pair.sameSample && length === other ? [...squareH] : new Array<number>(layers).fill(0);
  const gradients = new Array<number>(layers).fill(0);
  for (let step = 0; step < overlap; step++) {
    const t = length - overlap + step;
    const s = other - overlap + step;
    for (let l = 0; l < layers; l++) {
      const input = l > 0 ? values[l - 1] : pair.cross(t, s);
      const sigma = squareW[l] * values[l] + squareU[l] * input + squareB[l];
      const psi = sigma + squareW[l] * gradients[l] + (l > 0 ? squareU[l] * gradients[l - 1] : 0);
      values[l] = phi.value(first[l][t], second[l][s], sigma);
      gradients[l] = psi * phi.slope(first[l][t], second[l][s], sigma);
    }
  }
  const nngp = squareV * values[layers - 1];
  return { nngp, theta: nngp + squareV * gradients[layers - 1] };
}
