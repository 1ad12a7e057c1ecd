import { badInput } from '#src/base/contracts/errors.ts';
import { type RandomGenerator, randomGenerator } from '../random/randomGenerator.ts';

/** Kernels K(h - h') whose spectral measures Q can be drawn from. */
export const FEATURE_KERNELS = ['gaussian', 'laplace', 'cauchy'] as const;
export type FeatureKernel = (typeof FEATURE_KERNELS)[number];

/** All that has to be stored of a featurization φ_m(·, Q): whoever has it rebuilds the same directions. */
export interface FeatureMap {
  seed: number;
  /** Directions m; the features are 2m. */
  directions: number;
  /** Length d of the representation. */
  dimension: number;
  /** σ_Q, the scale of Q in each coordinate. */
  sigma: number;
  /** `gaussian` unless given. */
  kernel?: FeatureKernel;
  /** Directions at right angles in blocks of d. Only for `gaussian`; off unless given. */
  orthogonal?: boolean;
}

/**
 * U' (directions, dimension), row-major: the directions u_1 … u_m ~ Q of a feature map (Featurizing Pretrained
 * Representations, Section 5), a function of the map alone. Q is N(0, σ²I) for the Gaussian kernel exp(-σ²|h - h'|²/2),
 * independent Cauchy variables of scale σ for the Laplace kernel exp(-σ|h - h'|₁), independent Laplace variables of scale σ
 * for the Cauchy kernel Π 1/(1 + σ²(h_i - h'_i)²): Rahimi and Recht 2007, Figure 1. Orthogonal directions are those of Yu
 * et al., "Orthogonal random features", 2016. A longer map with the same seed begins with the directions of a shorter one.
 * Throws BAD_INPUT for maps that cannot be.
 */
export function featureDirections(map: FeatureMap): Float64Array {
  checkMap(map);
  const { seed, directions, dimension, sigma, kernel = 'gaussian', orthogonal = false } = map;
  const generator = randomGenerator(
    seed,
    `feature directions ${dimension} ${kernel}${orthogonal ? ' orthogonal' : ''}`,
  );
  if (orthogonal) return orthogonalDirections(map, generator);
  const drawn = new Float64Array(directions * dimension);
  for (let at = 0; at < drawn.length; at++) drawn[at] = sigma * drawStandard(kernel, generator);
  return drawn;
}

function checkMap({ directions, dimension, sigma, kernel = 'gaussian', orthogonal = false }: FeatureMap): void {
  if (!Number.isInteger(directions) || directions < 1) {
    throw badInput(`m = ${directions} directions; expected a whole number from 1`, 'directions');
  }
  if (!Number.isInteger(dimension) || dimension < 1) {
    throw badInput(`representations of length d = ${dimension}; expected a whole number from 1`, 'dimension');
  }
  if (!(sigma > 0) || !Number.isFinite(sigma)) throw badInput(`σ_Q = ${sigma}; expected a number above 0`, 'sigma');
  if (orthogonal && kernel !== 'gaussian') {
    throw badInput(
      `orthogonal directions with the ${kernel} kernel: its Q is not the same in all directions; expected gaussian`,
      'orthogonal',
    );
  }
}

function drawStandard(kernel: FeatureKernel, generator: RandomGenerator): number {
  if (kernel === 'gaussian') return generator.normal();
  // in the midst of 2⁵³ cells, so never at an end
  const uniform = generator.nextFloat() + 2 ** -54 - 0.5;
  if (kernel === 'laplace') return Math.tan(Math.PI * uniform);
  return -Math.sign(uniform) * Math.log(1 - 2 * Math.abs(uniform));
}

/** Blocks of d orthonormal rows (Gram and Schmidt, twice, on Gaussian rows), each as long as a Gaussian row of its own. */
function orthogonalDirections({ directions, dimension, sigma }: FeatureMap, generator: RandomGenerator): Float64Array {
  const rows = new Float64Array(directions * dimension);
  for (let row = 0; row < directions; row++) {
    const own = rows.subarray(row * dimension, (row + 1) * dimension);
    const first = row - (row % dimension);
    for (let column = 0; column < dimension; column++) own[column] = generator.normal();
    for (let pass = 0; pass < 2; pass++) {
      for (let other = first; other < row; other++) subtractProjection(own, rows.subarray(other * dimension));
    }
    const length = Math.sqrt(dot(own, own));
    for (let column = 0; column < dimension; column++) own[column]! /= length;
  }
  for (let row = 0; row < directions; row++) {
    let square = 0;
    for (let column = 0; column < dimension; column++) square += generator.normal() ** 2;
    const length = sigma * Math.sqrt(square);
    for (let column = 0; column < dimension; column++) rows[row * dimension + column]! *= length;
  }
  return rows;
}

function subtractProjection(own: Float64Array, unit: Float64Array): void {
  const along = dot(own, unit);
  for (let column = 0; column < own.length; column++) own[column]! -= along * unit[column]!;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let column = 0; column < a.length; column++) sum += a[column]! * b[column]!;
  return sum;
}
