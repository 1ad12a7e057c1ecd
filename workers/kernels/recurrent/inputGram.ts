import { badInput } from '#src/base/contracts/errors.ts';
import { type Activation, dualActivationOf } from '#workers/math/activations/activation.ts';
import { checkGramMemory } from './gramMemory.ts';
import type { KernelMatrix } from './kernelMatrix.ts';

/** Inner products of rows with columns, from which the kernels of whole inputs follow. */
export interface InnerProducts {
  /** (rows, columns) */
  products: KernelMatrix;
  /** (rows) Squared Euclidean norms. */
  rowSquares: Float64Array;
  /** (columns) */
  columnSquares: Float64Array;
  /** m, the numbers of one input. */
  dimension: number;
  /** The columns are the rows, so that one half is computed. */
  isSymmetric: boolean;
}

/** Inputs of one dimension, row-major. */
export interface Inputs {
  /** (count, dimension) */
  values: Float64Array;
  dimension: number;
}

/**
 * Inner products of `rows` with `columns`, or with themselves. Throws BAD_INPUT for ragged, empty or non-finite inputs,
 * OUT_OF_MEMORY for a matrix of more than `limitBytes` (default: three quarters of the machine's memory).
 */
export function innerProducts(rows: Inputs, columns: Inputs | null, limitBytes?: number): InnerProducts {
  const others = columns ?? rows;
  const { dimension } = rows;
  if (others.dimension !== dimension) {
    throw badInput(`rows have ${dimension} numbers an input, columns ${others.dimension}`, 'columns');
  }
  const [count, otherCount] = [countOf(rows, 'rows'), countOf(others, 'columns')];
  checkGramMemory(count, otherCount, limitBytes);
  const values = new Float64Array(count * otherCount);
  for (let i = 0; i < count; i++) {
    for (let j = columns === null ? i : 0; j < otherCount; j++) {
      let sum = 0;
      for (let k = 0; k < dimension; k++) sum += rows.values[i * dimension + k] * others.values[j * dimension + k];
      values[i * otherCount + j] = sum;
      if (columns === null) values[j * count + i] = sum;
    }
  }
  const squares = ({ values: all }: Inputs, of: number) =>
    Float64Array.from({ length: of }, (_, i) => {
      let sum = 0;
      for (let k = i * dimension; k < (i + 1) * dimension; k++) sum += all[k] ** 2;
      return sum;
    });
  return {
    products: { rows: count, columns: otherCount, values },
    rowSquares: squares(rows, count),
    columnSquares: squares(others, otherCount),
    dimension,
    isSymmetric: columns === null,
  };
}

function countOf({ values, dimension }: Inputs, name: string): number {
  const count = values.length / dimension;
  if (!Number.isInteger(count) || count < 1) {
    throw badInput(`${values.length} numbers are no inputs of ${dimension}: one length is expected`, name);
  }
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad !== -1) {
    throw badInput(`the value ${values[bad]} in input ${Math.floor(bad / dimension)}, place ${bad % dimension}`, name);
  }
  return count;
}

/** A Gram matrix whose entries depend on <x, x'>, |x|² and |x'|² alone. */
function gramBy(inner: InnerProducts, kernel: (xy: number, xx: number, yy: number) => number): KernelMatrix {
  const { products, rowSquares, columnSquares, isSymmetric } = inner;
  const { rows, columns, values: dots } = products;
  const values = new Float64Array(dots.length);
  for (let i = 0; i < rows; i++) {
    for (let j = isSymmetric ? i : 0; j < columns; j++) {
      const value = kernel(dots[i * columns + j], rowSquares[i], columnSquares[j]);
      values[i * columns + j] = value;
      if (isSymmetric) values[j * columns + i] = value;
    }
  }
  return { rows, columns, values };
}

/** <x, x'> */
export function linearGram(inner: InnerProducts): KernelMatrix {
  return gramBy(inner, (xy) => xy);
}

/** exp(-alpha |x - x'|²) (RNTK A.1). Throws BAD_INPUT for an alpha that is not above 0. */
export function rbfGram(inner: InnerProducts, { alpha }: { alpha: number }): KernelMatrix {
  if (!(alpha > 0)) throw badInput(`alpha is above 0, got ${alpha}`, 'alpha');
  return gramBy(inner, (xy, xx, yy) => Math.exp(-alpha * Math.max(0, xx + yy - 2 * xy)));
}

/** (offset + <x, x'>)^degree (RNTK A.1). Throws BAD_INPUT for a degree that is no positive integer. */
export function polynomialGram(inner: InnerProducts, given: { degree: number; offset: number }): KernelMatrix {
  const { degree, offset } = given;
  if (!Number.isInteger(degree) || degree < 1) throw badInput(`degree is a positive integer, got ${degree}`, 'degree');
  return gramBy(inner, (xy) => (offset + xy) ** degree);
}

/** An infinitely wide multi-layer perceptron at initialisation; sigmas are standard deviations. */
export interface PerceptronNetwork {
  activation: Activation;
  /** Hidden layers L, at least 1. */
  layers: number;
  sigmaW: number;
  sigmaB: number;
  /** Of the read-out weights. */
  sigmaV: number;
}

/**
 * Tangent kernel (`ntk`) or kernel at initialisation (`nngp`) of an L-layer perceptron: RNTK A.1, Eq. 25, with the product
 * over the layers' own slopes and the read-out's sigma_v² V'[K^(L+1)] as its last factor (docs/errata.md, 4). Theta^(1) = Sigma^(1),
 * Theta^(l) = Sigma^(l) + sigma_w² V'[K^(l)] Theta^(l-1). Throws BAD_INPUT for sigmas below 0 and layers below 1.
 */
export function perceptronGram(inner: InnerProducts, network: PerceptronNetwork, kernel: 'ntk' | 'nngp'): KernelMatrix {
  const { layers, sigmaW, sigmaB, sigmaV, activation } = network;
  if (!Number.isInteger(layers) || layers < 1) throw badInput(`layers is a positive integer, got ${layers}`, 'layers');
  for (const [name, sigma] of Object.entries({ sigmaW, sigmaB, sigmaV })) {
    if (!(Number.isFinite(sigma) && sigma >= 0)) {
      throw badInput(`${name} is a standard deviation, finite and at least 0; got ${sigma}`, name);
    }
  }
  const phi = dualActivationOf(activation);
  const [squareW, squareB, squareV] = [sigmaW ** 2, sigmaB ** 2, sigmaV ** 2];
  const first = squareW / inner.dimension;
  const variancesOf = (squares: Float64Array): Float64Array[] => {
    let before = squares.map((square) => first * square + squareB);
    return Array.from({ length: layers }, () => {
      const own = before;
      before = own.map((variance) => squareW * phi.value(variance, variance, variance) + squareB);
      return own;
    });
  };
  const rowVariances = variancesOf(inner.rowSquares);
  const columnVariances = inner.isSymmetric ? rowVariances : variancesOf(inner.columnSquares);
  const { rows, columns, values: dots } = inner.products;
  const values = new Float64Array(dots.length);
  for (let i = 0; i < rows; i++) {
    for (let j = inner.isSymmetric ? i : 0; j < columns; j++) {
      let sigma = first * dots[i * columns + j] + squareB;
      let theta = sigma;
      for (let l = 0; l + 1 < layers; l++) {
        const [xx, yy] = [rowVariances[l][i], columnVariances[l][j]];
        const slope = squareW * phi.slope(xx, yy, sigma);
        sigma = squareW * phi.value(xx, yy, sigma) + squareB;
        theta = sigma + slope * theta;
      }
      const [xx, yy] = [rowVariances[layers - 1][i], columnVariances[layers - 1][j]];
      const nngp = squareV * phi.value(xx, yy, sigma);
      const value = kernel === 'nngp' ? nngp : nngp + squareV * phi.slope(xx, yy, sigma) * theta;
      values[i * columns + j] = value;
      if (inner.isSymmetric) values[j * columns + i] = value;
    }
  }
  return { rows, columns, values };
}
