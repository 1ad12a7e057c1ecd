import { badInput } from '#src/base/contracts/errors.ts';
import { ACTIVATIONS } from '#workers/math/activations/activation.ts';
import type { PerLayer, RecurrentKernelParameters } from './recurrentKernelParameters.ts';

/** Variances of a recurrent network's weights: squares of the sigmas, (L) each but the last. */
export interface RecurrentCoefficients {
  squareW: Float64Array;
  squareU: Float64Array;
  squareB: Float64Array;
  squareH: Float64Array;
  squareV: number;
}

/** Throws BAD_INPUT for sigmas below 0 or not finite, and for a list that is not one value a layer. */
export function recurrentCoefficients(parameters: RecurrentKernelParameters): RecurrentCoefficients {
  const { activation, layers, sigmaV } = parameters;
  if (!ACTIVATIONS.includes(activation)) {
    throw badInput(
      `there is no activation ${JSON.stringify(activation)}; there are: ${ACTIVATIONS.join(', ')}`,
      'activation',
    );
  }
  if (!Number.isInteger(layers) || layers < 1) {
    throw badInput(`layers is a positive integer, got ${layers}`, 'layers');
  }
  const squares = (name: 'sigmaW' | 'sigmaU' | 'sigmaB' | 'sigmaH') => squaresOf(parameters[name], name, layers);
  return {
    squareW: squares('sigmaW'),
    squareU: squares('sigmaU'),
    squareB: squares('sigmaB'),
    squareH: squares('sigmaH'),
    squareV: squaresOf(sigmaV, 'sigmaV', 1)[0],
  };
}

function squaresOf(given: PerLayer, name: string, layers: number): Float64Array {
  const sigmas = typeof given === 'number' ? new Array<number>(layers).fill(given) : given;
  if (sigmas.length !== layers) {
    throw badInput(`${name} has ${sigmas.length} values for ${layers} layers; one a layer, or a single one`, name);
  }
  for (const sigma of sigmas) {
    if (!(Number.isFinite(sigma) && sigma >= 0)) {
      throw badInput(`${name} is a standard deviation, finite and at least 0; got ${sigma}`, name);
    }
  }
  return Float64Array.from(sigmas, (sigma) => sigma ** 2);
}
