import { badInput } from '#src/base/contracts/errors.ts';
import type { Activation } from '#workers/math/activations/activation.ts';
import type { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import type { KernelMatrix } from './kernelMatrix.ts';
import { type RecurrentGramOptions, recurrentGram } from './recurrentGram.ts';
import type { RecurrentKernelParameters } from './recurrentKernelParameters.ts';
import { checkSeriesSet, type SeriesSet, seriesSet } from './seriesSet.ts';

/** Tangent kernel or Gaussian process of an infinitely wide perceptron. */
export interface PerceptronKernel {
  name: 'mlp-ntk' | 'mlp-nngp';
  activation: Activation;
  /** Hidden layers L. */
  layers: number;
  sigmaW: number;
  sigmaB: number;
  sigmaV: number;
}

/** Kernels of inner products and distances. */
export type ClassicKernel =
  /** exp(-alpha |x - y|^2) */
  | { name: 'rbf'; alpha: number }
  /** (offset + <x, y>)^degree */
  | { name: 'polynomial'; degree: number; offset: number }
  /** <x, y> */
  | { name: 'linear' };

/** Kernels of vectors of one size (RNTK A.1). */
export type VectorKernel = PerceptronKernel | ClassicKernel;

export type VectorGramOptions = Pick<RecurrentGramOptions, 'betweenBlocks' | 'limitBytes'>;

/** Vectors of one size as a set of series of one time step. Throws BAD_INPUT for ragged rows and values that are not finite. */
export function vectorSet(rows: readonly ArrayLike<number>[]): SeriesSet {
  const dimension = rows[0]?.length ?? 0;
  for (const [index, row] of rows.entries()) {
    if (row.length !== dimension || dimension === 0) {
      throw badInput(
        `${row.length} numbers, ${dimension} in the first row: this kernel needs vectors of one size; pad the series or ` +
          'take the recurrent kernel, which compares different lengths',
        `row ${index}`,
      );
    }
  }
  return seriesSet(rows, dimension);
}

/**
 * The Gram matrix of vectors (`vectorSet`) with themselves (columns null) or with others.
 *
 * A perceptron with L hidden layers is the recurrent network of L layers at its only time step with h(0) = 0: sigma_w takes
 * the place of sigma_u, and Theta = sum over l of Sigma^(l) prod_{l' >= l} Sigma-dot^(l') + K, with the read-out factor
 * sigma_v^2 (docs/errata.md, 4), is RNTK Eq. 9. Inner products are those of a linear network. So all run in one compiled kernel.
 */
export function vectorGram(
  engine: NumericThreads | null,
  { rows, columns }: { rows: SeriesSet; columns: SeriesSet | null },
  { kernel, ...options }: VectorGramOptions & { kernel: VectorKernel },
): KernelMatrix {
  for (const set of [rows, ...(columns === null ? [] : [columns])]) {
    checkSeriesSet(set);
    if (set.offsets.at(-1) !== set.offsets.length - 1) {
      throw badInput('series of several time steps; vectors (of one step) are expected', 'rows');
    }
  }
  if (isPerceptron(kernel)) {
    const { activation, layers, sigmaW, sigmaB, sigmaV } = kernel;
    const network = { activation, layers, sigmaW: 0, sigmaU: sigmaW, sigmaV, sigmaB, sigmaH: 0 };
    return recurrentGram(
      engine,
      { rows, columns },
      { ...options, network, kernel: kernel.name === 'mlp-ntk' ? 'rntk' : 'nngp' },
    );
  }
  checkKernel(kernel);
  const network: RecurrentKernelParameters = { ...INNER_PRODUCT, sigmaU: Math.sqrt(rows.dimension) };
  const gram = recurrentGram(engine, { rows, columns }, { ...options, network, kernel: 'nngp' });
  if (kernel.name === 'rbf') applyRbf(gram, { rows, columns: columns ?? rows }, kernel.alpha);
  else if (kernel.name === 'polynomial') {
    const { values } = gram;
    for (let at = 0; at < values.length; at++) values[at] = (kernel.offset + values[at]) ** kernel.degree;
  }
  return gram;
}

const INNER_PRODUCT = { activation: 'linear', layers: 1, sigmaW: 0, sigmaV: 1, sigmaB: 0, sigmaH: 0 } as const;

function isPerceptron(kernel: VectorKernel): kernel is PerceptronKernel {
  return kernel.name === 'mlp-ntk' || kernel.name === 'mlp-nngp';
}

function checkKernel(kernel: ClassicKernel): void {
  if (kernel.name === 'rbf' && !(Number.isFinite(kernel.alpha) && kernel.alpha >= 0)) {
    throw badInput(`alpha is finite and at least 0, got ${kernel.alpha}`, 'alpha');
  }
  if (kernel.name === 'polynomial') {
    const { degree, offset } = kernel;
    if (!(Number.isInteger(degree) && degree >= 1))
      throw badInput(`degree is a positive integer, got ${degree}`, 'degree');
    if (!(Number.isFinite(offset) && offset >= 0)) throw badInput(`the offset is at least 0, got ${offset}`, 'offset');
  }
}

/** Squared distances from inner products; what rounding takes below 0 counts as 0. */
function applyRbf(gram: KernelMatrix, sets: { rows: SeriesSet; columns: SeriesSet }, alpha: number): void {
  const own = squaredNorms(sets.rows);
  const other = sets.columns === sets.rows ? own : squaredNorms(sets.columns);
  for (let i = 0, at = 0; i < gram.rows; i++) {
    for (let j = 0; j < gram.columns; j++, at++) {
      const square = sets.columns === sets.rows && i === j ? 0 : own[i] + other[j] - 2 * gram.values[at];
      gram.values[at] = Math.exp(-alpha * Math.max(square, 0));
    }
  }
}

function squaredNorms({ dimension, values }: SeriesSet): Float64Array {
  const norms = new Float64Array(values.length / dimension);
  for (let at = 0; at < values.length; at++) norms[Math.floor(at / dimension)] += values[at] * values[at];
  return norms;
}
