import { badInput } from '#src/base/contracts/errors.ts';
import { isClosedActivation } from '#workers/math/activations/activation.ts';
import { type ClosedDualActivation, dualActivations } from '#workers/math/activations/dualActivation.ts';
import {
  emptyPatternKernelTables,
  oldestMatch,
  type PatternKernel,
  type PatternKernelOptions,
  type PatternKernelTables,
} from './patternKernelTables.ts';
import { type RecurrentCoefficients, recurrentCoefficients } from '../recurrent/recurrentCoefficients.ts';
import { recurrentVariances } from '../recurrent/recurrentKernelTables.ts';

/** The network, and the state of a pair between two time steps, (L) each: V[K^(l,t)] and Psi^(l,t) V'[K^(l,t)]. */
interface State {
  phi: ClosedDualActivation;
  coefficients: RecurrentCoefficients;
  values: Float64Array;
  gradients: Float64Array;
}

/**
 * The kernel over match patterns, of any closed activation: OverRec Algorithms 1 and 2 for any two lengths, with the padding rule of Section
 * IV-B and the corrections of `recurrentKernelPair`, whose values for different samples it gives to the bit.
 */
export function exactPatternKernel(options: PatternKernelOptions): PatternKernel {
  const tables = emptyPatternKernelTables(options);
  const { layers, activation } = options.network;
  if (!isClosedActivation(activation)) throw new Error(`internal: no pattern kernel for ${activation}`);
  const phi = dualActivations[activation];
  const coefficients = recurrentCoefficients(options.network);
  const state: State = { phi, coefficients, values: new Float64Array(layers), gradients: new Float64Array(layers) };
  fillTables(tables, state);
  const width = options.maximumLength + 1;
  const layerSize = width * width;
  return {
    tables,
    value(length, otherLength, mask, at) {
      const oldest = oldestMatch(mask, at, tables.maskWords);
      if (oldest < 0) return tables.unmatched[length * width + otherLength];
      let cell = (length - oldest - 1) * width + otherLength - oldest - 1;
      load(tables, state, cell);
      for (let d = oldest; d >= 0; d--) {
        cell += width + 1;
        advance(tables, state, { cell, layerSize, match: (mask[at + (d >> 5)] >>> (d & 31)) & 1 });
      }
      return readOut(options, state);
    },
  };
}

/** One time step of every layer, to the table cell of the new (t, t'). */
function advance(
  tables: PatternKernelTables,
  state: State,
  { cell, layerSize, match }: { cell: number; layerSize: number; match: number },
): void {
  const { layers } = tables.options.network;
  const { phi, values, gradients } = state;
  const { squareW, squareU, squareB } = state.coefficients;
  for (let l = 0; l < layers; l++) {
    const input = l > 0 ? values[l - 1] : match;
    const sigma = squareW[l] * values[l] + squareU[l] * input + squareB[l];
    const psi = sigma + squareW[l] * gradients[l] + (l > 0 ? squareU[l] * gradients[l - 1] : 0);
    const scale = tables.scales[l * layerSize + cell];
    values[l] = phi.valueAt(sigma, scale);
    gradients[l] = psi * phi.slopeAt(sigma, scale);
  }
}

function readOut({ network, kernel }: PatternKernelOptions, { coefficients, values, gradients }: State): number {
  const { squareV } = coefficients;
  const nngp = squareV * values[network.layers - 1];
  return kernel === 'nngp' ? nngp : nngp + squareV * gradients[network.layers - 1];
}

function load(tables: PatternKernelTables, state: State, cell: number): void {
  const { network, maximumLength } = tables.options;
  const layerSize = (maximumLength + 1) ** 2;
  for (let l = 0; l < network.layers; l++) {
    state.values[l] = tables.values[l * layerSize + cell];
    state.gradients[l] = tables.gradients[l * layerSize + cell];
  }
}

/** Without matches the state after (t, t') steps is that after (t - 1, t' - 1) and one step more: O(L M^2) in all. */
function fillTables(tables: PatternKernelTables, state: State): void {
  const { network, maximumLength } = tables.options;
  const { layers } = network;
  const width = maximumLength + 1;
  const layerSize = width * width;
  const variances = recurrentVariances(network, maximumLength, () => 1);
  for (let t = 1; t <= maximumLength; t++) {
    for (let s = 1; s <= maximumLength; s++) {
      const cell = t * width + s;
      for (let l = 0; l < layers; l++) {
        const scale = state.phi.scale(variances[l][t - 1], variances[l][s - 1]);
        if (!Number.isFinite(scale)) {
          throw badInput(
            `variances overflow after ${t} steps: smaller sigmas or a smaller maximumLength are needed`,
            'sigmaW',
          );
        }
        tables.scales[l * layerSize + cell] = scale;
      }
      load(tables, state, cell - width - 1);
      advance(tables, state, { cell, layerSize, match: 0 });
      for (let l = 0; l < layers; l++) {
        tables.values[l * layerSize + cell] = state.values[l];
        tables.gradients[l * layerSize + cell] = state.gradients[l];
      }
      tables.unmatched[cell] = readOut(tables.options, state);
    }
  }
}
