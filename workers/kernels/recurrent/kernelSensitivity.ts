import { badInput } from '#src/base/contracts/errors.ts';
import { type DifferentiableActivation, differentiableActivations } from '#workers/math/activations/dualDerivative.ts';
import { hasClosedActivation, type RecurrentKernelParameters } from './recurrentKernelParameters.ts';
import { type RecurrentCoefficients, recurrentCoefficients } from './recurrentCoefficients.ts';
import { recurrentVariances } from './recurrentKernelTables.ts';
import { vectorSequencePair } from './sequencePair.ts';

type Vectors = readonly (readonly number[])[];

export interface KernelSensitivity {
  /** (T) s(t) = norm of the gradient by x_t (RNTK Eq. 22). */
  sensitivity: Float64Array;
  /** (T, m) The gradient itself. */
  gradient: Float64Array;
}

interface Work {
  phi: DifferentiableActivation;
  coefficients: RecurrentCoefficients;
  layers: number;
  /** (layers, T) and (layers, T') variances of x and of x'. */
  first: number[][];
  second: number[][];
  /** Common steps, counted from their oldest; `lead` and `otherLead` steps of x and x' come before. */
  overlap: number;
  lead: number;
  otherLead: number;
}

/** Adjoints of the inputs: of <x_t, x'_t'> / m at each common step, and of the variances of x. */
interface Adjoints {
  cross: Float64Array;
  /** (layers, T) */
  variances: Float64Array[];
}

/**
 * How the kernel of `x` (T, m) and another sample `y` (T', m) changes with each x_t, exactly: reverse differentiation of
 * the recursion of `recurrentKernelPair` and of the variances of x, O(L (T + T')) in all. y is held fixed.
 * Throws BAD_INPUT for activations by quadrature, and for vectors of unequal size or with values that are not finite.
 */
export function kernelSensitivity(
  network: RecurrentKernelParameters,
  { x, y }: { x: Vectors; y: Vectors },
  kernel: 'rntk' | 'nngp' = 'rntk',
): KernelSensitivity {
  if (!hasClosedActivation(network)) {
    throw badInput(`the sensitivity has relu, erf and linear only, got ${network.activation}`, 'activation');
  }
  const dimension = checkVectors(x, y);
  const pair = vectorSequencePair(x, y);
  const overlap = Math.min(x.length, y.length);
  const work: Work = {
    phi: differentiableActivations[network.activation],
    coefficients: recurrentCoefficients(network),
    layers: network.layers,
    first: recurrentVariances(network, x.length, pair.norms[0]),
    second: recurrentVariances(network, y.length, pair.norms[1]),
    overlap,
    lead: x.length - overlap,
    otherLead: y.length - overlap,
  };
  const covariances = forward(work, pair.cross);
  const adjoints = backward(work, covariances, kernel);
  const norms = backwardVariances(work, adjoints.variances);
  const gradient = new Float64Array(x.length * dimension);
  const sensitivity = new Float64Array(x.length);
  for (const [t, vector] of x.entries()) {
    const common = t - work.lead;
    let square = 0;
    for (let k = 0; k < dimension; k++) {
      const byNorm = 2 * norms[t] * vector[k];
      const byCross = common >= 0 ? adjoints.cross[common] * y[common + work.otherLead][k] : 0;
      const partial = (byNorm + byCross) / dimension;
      gradient[t * dimension + k] = partial;
      square += partial * partial;
    }
    sensitivity[t] = Math.sqrt(square);
  }
  return { sensitivity, gradient };
}

function checkVectors(x: Vectors, y: Vectors): number {
  if (x.length === 0 || y.length === 0) throw badInput('a sequence is empty; at least one time step is expected');
  const dimension = x[0].length;
  for (const [name, sequence] of [['x', x] as const, ['y', y] as const]) {
    for (const [t, vector] of sequence.entries()) {
      if (vector.length !== dimension || !vector.every(Number.isFinite)) {
        throw badInput(`${dimension} finite numbers are expected, got [${vector.join(', ')}]`, `${name}[${t}]`);
      }
    }
  }
  return dimension;
}

/** Sigma and Psi of each common step and layer: (overlap, layers, 2). */
function forward(work: Work, cross: (t: number, s: number) => number): Float64Array {
  const { phi, layers, overlap } = work;
  const { squareW, squareU, squareB } = work.coefficients;
  const covariances = new Float64Array(overlap * layers * 2);
  const values = new Float64Array(layers);
  const gradients = new Float64Array(layers);
  for (let step = 0; step < overlap; step++) {
    for (let l = 0; l < layers; l++) {
      const input = l > 0 ? values[l - 1] : cross(step + work.lead, step + work.otherLead);
      const sigma = squareW[l] * values[l] + squareU[l] * input + squareB[l];
      const psi = sigma + squareW[l] * gradients[l] + (l > 0 ? squareU[l] * gradients[l - 1] : 0);
      const { value, slope } = phi.at(work.first[l][step + work.lead], work.second[l][step + work.otherLead], sigma);
      covariances.set([sigma, psi], (step * layers + l) * 2);
      values[l] = value;
      gradients[l] = psi * slope;
    }
  }
  return covariances;
}

function backward(work: Work, covariances: Float64Array, kernel: 'rntk' | 'nngp'): Adjoints {
  const { phi, layers, overlap, lead, otherLead } = work;
  const { squareW, squareU, squareV } = work.coefficients;
  const cross = new Float64Array(overlap);
  const variances = work.first.map((layer) => new Float64Array(layer.length));
  const byValue = new Float64Array(layers);
  const byGradient = new Float64Array(layers);
  byValue[layers - 1] = squareV;
  byGradient[layers - 1] = kernel === 'nngp' ? 0 : squareV;
  for (let step = overlap - 1; step >= 0; step--) {
    for (let l = layers - 1; l >= 0; l--) {
      const at = (step * layers + l) * 2;
      const [sigma, psi] = [covariances[at], covariances[at + 1]];
      const d = phi.at(work.first[l][step + lead], work.second[l][step + otherLead], sigma);
      const byPsi = byGradient[l] * d.slope;
      const bySigma = byValue[l] * d.slope + byGradient[l] * psi * d.slopeByCovariance + byPsi;
      variances[l][step + lead] += byValue[l] * d.valueByFirst + byGradient[l] * psi * d.slopeByFirst;
      byValue[l] = squareW[l] * bySigma;
      byGradient[l] = squareW[l] * byPsi;
      if (l > 0) {
        byValue[l - 1] += squareU[l] * bySigma;
        byGradient[l - 1] += squareU[l] * byPsi;
      } else cross[step] = squareU[0] * bySigma;
    }
  }
  return { cross, variances };
}

/** Adjoints of |x_t|^2 / m, from those of the variances: (T). */
function backwardVariances({ phi, coefficients, layers, first }: Work, variances: Float64Array[]): Float64Array {
  const { squareW, squareU } = coefficients;
  const norms = new Float64Array(first[0].length);
  for (let t = norms.length - 1; t >= 0; t--) {
    for (let l = layers - 1; l >= 0; l--) {
      const adjoint = variances[l][t];
      if (t > 0) variances[l][t - 1] += squareW[l] * phi.diagonalSlope(first[l][t - 1]) * adjoint;
      if (l > 0) variances[l - 1][t] += squareU[l] * phi.diagonalSlope(first[l - 1][t]) * adjoint;
      else norms[t] = squareU[0] * adjoint;
    }
  }
  return norms;
}
