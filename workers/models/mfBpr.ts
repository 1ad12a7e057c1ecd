/**
 * Matrix factorisation with Bayesian personalised ranking: S. Rendle et al., UAI 2009, Section 4.3.1. The score of item i
 * for user u is x_ui = ⟨w_u, h_i⟩. For a triple (u, i, j), i seen and j not, the loss is -ln σ(x_ui - x_uj) plus the
 * penalty λ/2 (|w_u|² + |h_i|² + |h_j|²).
 */
import type { RandomGenerator } from '../math/random/randomGenerator.ts';

export interface MfModel {
  dimension: number;
  /** (users × dimension), row-major */
  users: Float32Array;
  /** (items × dimension), row-major */
  items: Float32Array;
}

export interface MfShape {
  userCount: number;
  itemCount: number;
  dimension: number;
}

/** Embeddings drawn from a normal distribution with mean 0. */
export function initMf(shape: MfShape, deviation: number, generator: RandomGenerator): MfModel {
  const draw = (rows: number): Float32Array =>
    Float32Array.from({ length: rows * shape.dimension }, () => deviation * generator.normal());
  return { dimension: shape.dimension, users: draw(shape.userCount), items: draw(shape.itemCount) };
}

export interface BprStep {
  learningRate: number;
  regularization: number;
}

/**
 * One step of stochastic gradient descent on the triple (user, item, other), in place. Returns its loss before the step,
 * without the penalty.
 */
export function stepBpr(
  model: MfModel,
  triple: { user: number; item: number; other: number },
  { learningRate, regularization }: BprStep,
): number {
  const { dimension, users, items } = model;
  const u = triple.user * dimension;
  const i = triple.item * dimension;
  const j = triple.other * dimension;
  let difference = 0;
  for (let d = 0; d < dimension; d++) difference += users[u + d]! * (items[i + d]! - items[j + d]!);
  const exponential = Math.exp(-Math.abs(difference));
  const loss = Math.log1p(exponential) + Math.max(0, -difference);
  const slope = (difference >= 0 ? exponential : 1) / (1 + exponential);
  for (let d = 0; d < dimension; d++) {
    const w = users[u + d]!;
    const hi = items[i + d]!;
    const hj = items[j + d]!;
    users[u + d] = w + learningRate * (slope * (hi - hj) - regularization * w);
    items[i + d] = hi + learningRate * (slope * w - regularization * hi);
    items[j + d] = hj + learningRate * (-slope * w - regularization * hj);
  }
  return loss;
}

/** Writes the score of every item for `user` into `scores` (items). */
export function mfScores(model: MfModel, user: number, scores: Float64Array): void {
  const { dimension, users, items } = model;
  const u = user * dimension;
  for (let item = 0; item < scores.length; item++) {
    let sum = 0;
    for (let d = 0; d < dimension; d++) sum += users[u + d]! * items[item * dimension + d]!;
    scores[item] = sum;
  }
}
