import { cholesky, solveTriangular } from '../math/dense/cholesky.ts';
import { normaliseRows } from '../math/dense/normaliseRows.ts';
import type { RandomGenerator } from '../math/random/randomGenerator.ts';
import { fitOnUnitBall, quarterSquaredRisk, type SecondMoments } from './ballRegression.ts';

/**
 * Conditions C1 and C2 of Featurizing Pretrained Representations, Section 4.1, where all can be computed: x has independent
 * signs times fixed amplitudes, so |x| = 1, and y is the sign of the first, turned with probability 0.1. H holds finitely many
 * h(x) = W'x with orthonormal W (inputs, dimension); F is ⟨θ, ·⟩ with |θ| ≤ 1; the loss (f - y)²/4 is in [0, 1] and has the
 * Lipschitz constant 1.
 */
export interface PretrainedGapCase {
  /** (H) W' of each, (dimension, inputs), row-major. */
  representations: readonly Float64Array[];
  inputs: number;
  dimension: number;
  samples: number;
}

/** What `trials` data sets of one size gave. */
export interface PretrainedGap {
  /** (trials) R(ĥ) - min R(h, f), R(h) being the mean over the data sets. */
  excess: number[];
  /** (trials) sup_h { E R_n(h) - R_n(h) }, the mean being over the other data sets. */
  suprema: number[];
  /** 𝒢_n(H) as Appendix A defines it, without 1/n; over the data sets. */
  gaussianComplexity: number;
  /** Root mean square over H of the deviation of R_n(h) over data sets. */
  deviationOverData: number;
  /** Deviation over H of R(h). */
  deviationOverRepresentations: number;
  /** Deviation of R_n(h̃) where every h̃(x_i) is a unit vector of its own, drawn anew with the data. */
  deviationOfNoise: number;
}

const SIGNAL = 0.8;

/** Square of the amplitude of the first input; the others share the rest. */
const FIRST = 0.5;

/** Draws the family H. */
export function drawRepresentations(
  count: number,
  { inputs, dimension }: Pick<PretrainedGapCase, 'inputs' | 'dimension'>,
  generator: RandomGenerator,
): Float64Array[] {
  return Array.from({ length: count }, () => {
    const drawn = Float64Array.from({ length: dimension * inputs }, () => generator.normal());
    const gram = new Float64Array(dimension * dimension);
    for (let at = 0; at < gram.length; at++) {
      const [a, b] = [Math.floor(at / dimension) * inputs, (at % dimension) * inputs];
      for (let j = 0; j < inputs; j++) gram[at]! += drawn[a + j]! * drawn[b + j]!;
    }
    return solveTriangular(cholesky(gram, dimension), dimension, { b: drawn, width: inputs, transposed: false });
  });
}

/** What Proposition 1 is about, over data sets. Needs at least two trials. */
export function pretrainedGap(one: PretrainedGapCase, trials: number, generator: RandomGenerator): PretrainedGap {
  const { representations } = one;
  const truth = representations.map((projection) => projectedMoments(populationMoments(one.inputs), projection));
  const best = Math.min(...truth.map((moments) => quarterSquaredRisk(moments, fitOnUnitBall(moments))));
  const empirical: number[][] = [];
  const learned: number[][] = [];
  const noise: number[] = [];
  let complexity = 0;
  for (let trial = 0; trial < trials; trial++) {
    const { moments, gaussian } = drawData(one, generator);
    const fits = representations.map((projection) => {
      const own = projectedMoments(moments, projection);
      const theta = fitOnUnitBall(own);
      return { theta, risk: quarterSquaredRisk(own, theta) };
    });
    empirical.push(fits.map(({ risk }) => risk));
    learned.push(fits.map(({ theta }, k) => quarterSquaredRisk(truth[k]!, theta)));
    complexity += Math.max(...representations.map((projection) => dot(projection, gaussian))) / trials;
    const random = noiseMoments(one, generator);
    noise.push(quarterSquaredRisk(random, fitOnUnitBall(random)));
  }
  const risks = representations.map((_, k) => mean(learned.map((row) => row[k]!)));
  const expected = representations.map((_, k) => mean(empirical.map((row) => row[k]!)));
  // the mean over the others is trials/(trials - 1) times as far from one as the mean over all
  const others = trials / (trials - 1);
  return {
    excess: empirical.map((row) => risks[row.indexOf(Math.min(...row))]! - best),
    suprema: empirical.map((row) => Math.max(...row.map((value, k) => others * (expected[k]! - value)))),
    gaussianComplexity: complexity,
    deviationOverData: Math.sqrt(mean(representations.map((_, k) => deviation(empirical.map((row) => row[k]!)) ** 2))),
    deviationOverRepresentations: deviation(risks),
    deviationOfNoise: deviation(noise),
  };
}

export interface GapBounds {
  /** 𝒢_n(H)/√n + 𝒢'_n(F) sup √E|h|²/√n + √(log 1/δ): Proposition 1 with the constant 1. */
  printed: number;
  /** The same with the constants of its proof, √(2π) and √(9 log 2/δ). */
  proven: number;
  /**
   * √(2π) 𝒢'_n(F) sup √E|h|²/√n + √(log(2|H|/δ)/(2n)) + √(log(2/δ)/(2n)): R_n(h) = min_f changes by at most 1/n with one sample, so
   * by McDiarmid's inequality both slacks of the proof vanish.
   */
  corrected: number;
}

/** Bounds of R(ĥ) - min R(h, f) that hold with probability 1 - δ. */
export function pretrainedGapBounds(
  { representations, inputs, dimension, samples: n }: PretrainedGapCase,
  gaussianComplexity: number,
  delta: number,
): GapBounds {
  const norms = representations.map((projection) => {
    const { second, width } = projectedMoments(populationMoments(inputs), projection);
    return Math.sqrt(Array.from({ length: width }, (_, a) => second[a * width + a]!).reduce((sum, x) => sum + x, 0));
  });
  const ofH = gaussianComplexity / Math.sqrt(n);
  const ofF = (modifiedComplexity(dimension) * Math.max(...norms)) / Math.sqrt(n);
  const root = Math.sqrt(2 * Math.PI);
  const slack = (ratio: number): number => Math.sqrt(Math.log(ratio / delta) / (2 * n));
  return {
    printed: ofH + ofF + Math.sqrt(Math.log(1 / delta)),
    proven: root * (ofH + ofF) + Math.sqrt(9 * Math.log(2 / delta)),
    corrected: root * ofF + slack(2 * representations.length) + slack(2),
  };
}

/** 𝒢'_n(F) = sup_A E|A'ε|/|A| = E χ_d/√d, where A has d equal singular values; E χ_(d+1) = d/E χ_d. */
function modifiedComplexity(dimension: number): number {
  let mean = Math.sqrt(2 / Math.PI);
  for (let d = 1; d < dimension; d++) mean = d / mean;
  return mean / Math.sqrt(dimension);
}

function amplitudes(inputs: number): Float64Array {
  return Float64Array.from({ length: inputs }, (_, j) => Math.sqrt(j === 0 ? FIRST : (1 - FIRST) / (inputs - 1)));
}

function populationMoments(inputs: number): SecondMoments {
  const second = new Float64Array(inputs * inputs);
  const cross = new Float64Array(inputs);
  for (const [j, amplitude] of amplitudes(inputs).entries()) second[j * inputs + j] = amplitude ** 2;
  cross[0] = SIGNAL * Math.sqrt(FIRST);
  return { second, cross, width: inputs };
}

/** Of W'x. */
function projectedMoments({ second, cross, width: inputs }: SecondMoments, projection: Float64Array): SecondMoments {
  const width = projection.length / inputs;
  const found = { second: new Float64Array(width * width), cross: new Float64Array(width), width };
  const row = new Float64Array(inputs);
  for (let a = 0; a < width; a++) {
    row.fill(0);
    for (let i = 0; i < inputs; i++) {
      const weight = projection[a * inputs + i]!;
      found.cross[a]! += weight * cross[i]!;
      for (let j = 0; j < inputs; j++) row[j]! += weight * second[i * inputs + j]!;
    }
    for (let b = 0; b < width; b++) found.second[a * width + b] = dot(row, projection.subarray(b * inputs));
  }
  return found;
}

/** Moments of n samples, and Σ_i ε_i x_i' (dimension, inputs) of Gaussian ε. */
function drawData(
  { inputs, dimension, samples: n }: PretrainedGapCase,
  generator: RandomGenerator,
): { moments: SecondMoments; gaussian: Float64Array } {
  const sizes = amplitudes(inputs);
  const moments = { second: new Float64Array(inputs * inputs), cross: new Float64Array(inputs), width: inputs };
  const gaussian = new Float64Array(dimension * inputs);
  const x = new Float64Array(inputs);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < inputs; j++) x[j] = generator.nextFloat() < 0.5 ? sizes[j]! : -sizes[j]!;
    const y = Math.sign(x[0]!) * (generator.nextFloat() < (1 + SIGNAL) / 2 ? 1 : -1);
    addSample(moments, x, y / n, 1 / n);
    for (let a = 0; a < dimension; a++) {
      const normal = generator.normal();
      for (let j = 0; j < inputs; j++) gaussian[a * inputs + j]! += normal * x[j]!;
    }
  }
  return { moments, gaussian };
}

/** Moments of n samples of a representation that is a random unit vector for each. */
function noiseMoments({ dimension, samples: n }: PretrainedGapCase, generator: RandomGenerator): SecondMoments {
  const drawn = Float64Array.from({ length: n * dimension }, () => generator.normal());
  const h = normaliseRows(drawn, dimension);
  const moments = {
    second: new Float64Array(dimension * dimension),
    cross: new Float64Array(dimension),
    width: dimension,
  };
  for (let i = 0; i < n; i++) {
    const y = generator.nextFloat() < 0.5 ? 1 : -1;
    addSample(moments, h.subarray(i * dimension, (i + 1) * dimension), y / n, 1 / n);
  }
  return moments;
}

function addSample({ second, cross, width }: SecondMoments, x: Float64Array, answer: number, weight: number): void {
  for (let a = 0; a < width; a++) {
    cross[a]! += answer * x[a]!;
    for (let b = 0; b < width; b++) second[a * width + b]! += weight * x[a]! * x[b]!;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}
