import { badInput } from '#src/base/contracts/errors.ts';
import { isClosedActivation } from '#workers/math/activations/activation.ts';
import { authorPatternKernel } from './authorPatternKernel.ts';
import { exactPatternKernel } from './exactPatternKernel.ts';
import type { PatternKernel, PatternKernelOptions } from './patternKernelTables.ts';
import { recurrentCoefficients } from '../recurrent/recurrentCoefficients.ts';

/** The kernel of two item sequences as a function of their match pattern. Throws BAD_INPUT for what a variant cannot do. */
export function patternKernel(options: PatternKernelOptions): PatternKernel {
  const { network, variant, maximumLength } = options;
  recurrentCoefficients(network);
  if (!isClosedActivation(network.activation)) {
    throw badInput(
      `the pattern kernel is exact for relu, erf and linear; ${network.activation} goes by quadrature`,
      'activation',
    );
  }
  if (!Number.isInteger(maximumLength) || maximumLength < 1) {
    throw badInput(`maximumLength is a positive integer, got ${maximumLength}`, 'maximumLength');
  }
  if (variant === 'exact') return exactPatternKernel(options);
  if (network.activation !== 'relu') {
    throw badInput(`the authors' code has relu only, got ${network.activation}`, 'activation');
  }
  if (network.layers !== 1) throw badInput(`the authors' code has one layer, got ${network.layers}`, 'layers');
  if (recurrentCoefficients(network).squareH[0] !== 0)
    throw badInput(`the authors' code leaves sigmaH out, so it must be 0`, 'sigmaH');
  return authorPatternKernel(options);
}
