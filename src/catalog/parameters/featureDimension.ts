import { badInput } from '#src/base/contracts/errors.ts';

export interface ApproximationTarget {
  /** Length d of the representations. */
  dimension: number;
  /** ε: the largest error of ⟨φ(h), φ(h')⟩ as a kernel value. */
  epsilon: number;
  /** Standard deviation σ_Q of Q in each coordinate; its second moment is d σ_Q². 1 unless given. */
  sigma?: number;
}

export interface BoundTarget extends ApproximationTarget {
  /** Largest probability that some pair is worse than ε. */
  delta: number;
  /** Largest distance of two representations: 2 for unit vectors, unless given. */
  diameter?: number;
  /** Power of the factor before the exponential: 1 as Lemma A.4 prints it, 2 as in the theorem that it cites. */
  prefactorPower?: 1 | 2;
}

function spread({ dimension, epsilon, sigma = 1 }: ApproximationTarget): number {
  if (!Number.isInteger(dimension) || dimension < 1) {
    throw badInput(`d = ${dimension}; expected a whole number from 1`, 'dimension');
  }
  if (!(epsilon > 0) || !(epsilon < 2)) {
    throw badInput(
      `ε = ${epsilon}; expected a number above 0 and below 2, as kernel values lie from -1 to 1`,
      'epsilon',
    );
  }
  if (!(sigma > 0)) throw badInput(`σ_Q = ${sigma}; expected a number above 0`, 'sigma');
  return Math.sqrt(dimension) * sigma;
}

/**
 * m = ⌈d/ε² ln(σ/ε)⌉ with σ² = d σ_Q², the second moment of Q: the paper's Ω(d/ε² log(σ/ε)) (Section 5) with the constant 1,
 * at least 1. It is large (d = 32, ε = 0.1: 12,914): it gives no reason for an m near d.
 */
export function directionsByRule(target: ApproximationTarget): number {
  const { dimension, epsilon } = target;
  return Math.max(1, Math.ceil((dimension / epsilon ** 2) * Math.log(spread(target) / epsilon)));
}

/**
 * The smallest m for which 2⁸ (σ · diameter/ε)^p exp(-m ε²/(4(d + 2))) ≤ δ: with at least that many directions all
 * pairs are within ε with probability 1 - δ (Lemma A.4; Rahimi and Recht 2007, Claim 1).
 */
export function directionsByBound(target: BoundTarget): number {
  const { dimension, epsilon, delta, diameter = 2, prefactorPower = 2 } = target;
  if (!(delta > 0 && delta < 1)) throw badInput(`δ = ${delta}; expected a number between 0 and 1`, 'delta');
  const factor = 2 ** 8 * ((spread(target) * diameter) / epsilon) ** prefactorPower;
  return Math.max(1, Math.ceil((Math.log(factor / delta) * 4 * (dimension + 2)) / epsilon ** 2));
}

/** Directions of φ_ε at most: 8,192 features. */
export const MOST_DIRECTIONS = 4096;

/** Probability with which some pair may be worse than ε, where the bound is asked. */
export const BOUND_DELTA = 0.05;

export interface FeatureErrorParameters {
  dimension: number;
  sigmaSquared: number;
  /** ε; null for no φ_ε. */
  featureError: number | null;
  featureErrorBy: 'rule' | 'bound';
}

/** m of φ_ε, for Gaussian directions; null where no ε is given. */
export function directionsForError({
  dimension,
  sigmaSquared,
  featureError: epsilon,
  featureErrorBy,
}: FeatureErrorParameters): number | null {
  if (epsilon === null) return null;
  const target = { dimension, epsilon, sigma: Math.sqrt(sigmaSquared) };
  return featureErrorBy === 'rule' ? directionsByRule(target) : directionsByBound({ ...target, delta: BOUND_DELTA });
}

/** Why φ_ε of these parameters is not computed, and what would help; null where it is. */
export function tooManyDirections(parameters: FeatureErrorParameters): string | null {
  const wanted = directionsForError(parameters);
  if (wanted === null || wanted <= MOST_DIRECTIONS) return null;
  const { dimension, sigmaSquared, featureErrorBy, featureError } = parameters;
  const hundredths = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);
  const enough = hundredths.find(
    (epsilon) => (directionsForError({ ...parameters, featureError: epsilon }) ?? 0) <= MOST_DIRECTIONS,
  );
  const advice = enough === undefined ? 'a smaller dimension or sigmaSquared' : `${enough} or more`;
  const count = (m: number): string => m.toLocaleString('en-US');
  return `ε = ${featureError} asks for ${count(wanted)} directions by the ${featureErrorBy}, where d = ${dimension} and σ_Q² = ${sigmaSquared}, and at most ${count(MOST_DIRECTIONS)} are computed: ${advice} is expected${enough !== undefined && featureErrorBy === 'bound' ? ', or featureErrorBy rule' : ''}`;
}
