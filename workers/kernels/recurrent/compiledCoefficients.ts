import type { ClosedNetwork } from './recurrentKernelParameters.ts';
import { recurrentCoefficients } from './recurrentCoefficients.ts';

/** Coefficients as the compiled Gram kernel takes them, (L) each but the last. */
export interface CompiledCoefficients {
  memory: Float64Array;
  /** Of the layer below; of the first layer, of the inner product of the inputs. */
  input: Float64Array;
  bias: Float64Array;
  readOut: number;
  /** What the expectations V[K] are multiplied by in the kernel's state: 2 pi for ReLU, which saves products there. */
  scale: number;
}

export function compiledCoefficients(network: ClosedNetwork, dimension: number): CompiledCoefficients {
  const { squareW, squareU, squareB, squareV } = recurrentCoefficients(network);
  const scale = network.activation === 'relu' ? 2 * Math.PI : 1;
  return {
    memory: squareW.map((square) => square / scale),
    input: squareU.map((square, l) => square / (l > 0 ? scale : dimension)),
    bias: squareB,
    readOut: squareV / scale,
    scale,
  };
}
