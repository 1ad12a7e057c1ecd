import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import {
  binaryObjective,
  centredFeatures,
  multinomialObjective,
  startingPoint,
  uncentred,
} from './logisticObjective.ts';
import { limitedMemoryBfgs, type SmoothObjective } from '../math/limitedMemoryBfgs.ts';

export interface LogisticSamples {
  /** (samples, width) Row-major. */
  features: ArrayLike<number>;
  width: number;
}

export interface LogisticOptions {
  /** Number of classes; labels are 0 … classes - 1. */
  classes: number;
  /**
   * `multinomial`: p(k) ∝ exp(θ_k·x + b_k). `one-vs-rest`: a logistic regression for each class against all others, the
   * class with the largest θ_k·x + b_k predicted.
   */
  form?: 'multinomial' | 'one-vs-rest';
  /** C: weight of the samples' losses against ½ Σ |θ_k|². 1 unless given; intercepts are not penalised. */
  inverseStrength?: number;
  /** The largest entry of the gradient at the end, 1e-6 unless given: weights are off by no more than its norm. */
  tolerance?: number;
  maximumIterations?: number;
  pulse?: () => void;
}

export interface LogisticModel {
  classes: number;
  width: number;
  /** (classes, width) Row-major. */
  weights: Float64Array;
  /** (classes) */
  intercepts: Float64Array;
  iterations: number;
}

/**
 * Logistic regression to its global optimum: the minimum of ½ Σ_k |θ_k|² + C Σ_i loss_i, which is convex, by L-BFGS (the
 * objective of scikit-learn's LogisticRegression with an L2 penalty). Throws BAD_INPUT for samples that do not fit together
 * and fewer than two classes, RUN_FAILED where the optimum was not reached.
 */
export function fitLogistic(
  samples: LogisticSamples,
  labels: ArrayLike<number>,
  options: LogisticOptions,
): LogisticModel {
  const { classes, form = 'multinomial' } = options;
  checkSamples(samples, labels, classes);
  if (form === 'multinomial') {
    return minimise(samples, labels, options);
  }
  const models = Array.from({ length: classes }, (_, own) => {
    const isOwn = Uint8Array.from({ length: labels.length }, (_entry, i) => (labels[i] === own ? 1 : 0));
    return fitBinary(samples, isOwn, options);
  });
  const weights = new Float64Array(classes * samples.width);
  for (const [own, model] of models.entries()) weights.set(model.weights, own * samples.width);
  return {
    classes,
    width: samples.width,
    weights,
    intercepts: Float64Array.from(models, (model) => model.intercepts[0]!),
    iterations: Math.max(...models.map((model) => model.iterations)),
  };
}

/** One logistic regression of `isOwn` (samples; 1 or 0): its weights score being 1. */
export function fitBinary(
  samples: LogisticSamples,
  isOwn: ArrayLike<number>,
  options: Omit<LogisticOptions, 'classes' | 'form'>,
): LogisticModel {
  checkSamples(samples, isOwn, 2);
  return minimise(samples, isOwn, { ...options, classes: 1 });
}

/** (samples, classes) θ_k·x + b_k. */
export function logisticScores(model: LogisticModel, { features, width }: LogisticSamples): Float64Array {
  if (width !== model.width)
    throw badInput(`features of ${width} columns; the model was fitted to ${model.width}`, 'features');
  const rows = features.length / width;
  const scores = new Float64Array(rows * model.classes);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < model.classes; k++) {
      let sum = model.intercepts[k]!;
      for (let d = 0; d < width; d++) sum += model.weights[k * width + d]! * features[row * width + d]!;
      scores[row * model.classes + k] = sum;
    }
  }
  return scores;
}

/** (samples) The class with the largest score, ties to the first. */
export function predictLogistic(model: LogisticModel, samples: LogisticSamples): Uint32Array {
  const scores = logisticScores(model, samples);
  return Uint32Array.from({ length: scores.length / model.classes }, (_, row) => {
    let best = 0;
    for (let k = 1; k < model.classes; k++) {
      if (scores[row * model.classes + k]! > scores[row * model.classes + best]!) best = k;
    }
    return best;
  });
}

function checkSamples({ features, width }: LogisticSamples, labels: ArrayLike<number>, classes: number): void {
  if (width < 1 || features.length !== labels.length * width || labels.length === 0) {
    throw badInput(
      `${features.length} feature values in rows of ${width} and ${labels.length} labels; expected a row a label, and some`,
      'features',
    );
  }
  if (classes < 2) throw badInput(`${classes} classes; expected at least 2`, 'classes');
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (!(Number.isInteger(label) && label >= 0 && label < classes)) {
      throw badInput(`label ${i} is ${label}; expected 0 to ${classes - 1}`, 'labels');
    }
  }
  for (let i = 0; i < features.length; i++) {
    if (!Number.isFinite(features[i]!)) throw badInput(`feature value ${i} is ${features[i]}`, 'features');
  }
}

type Fitting = Omit<LogisticOptions, 'classes' | 'form'>;

/**
 * L-BFGS on centred features, in coordinates scaled by the curvature at the start: intercepts and rare classes would
 * otherwise take a thousand steps. The tolerance is that of the gradient in the coordinates as they are.
 */
function minimise(
  samples: LogisticSamples,
  labels: ArrayLike<number>,
  { classes, ...options }: Fitting & { classes: number },
): LogisticModel {
  const { tolerance = 1e-6, maximumIterations = 5000, inverseStrength = 1, pulse } = options;
  if (!(inverseStrength > 0)) throw badInput(`C = ${inverseStrength}; expected a number above 0`, 'inverseStrength');
  const centred = centredFeatures(samples);
  const { start, scales } = startingPoint(centred, labels, { classes, inverseStrength });
  const objective = (classes === 1 ? binaryObjective : multinomialObjective)(centred, labels, {
    classes,
    inverseStrength,
  });
  const point = new Float64Array(start.length);
  const unscaled = (at: Float64Array): Float64Array => {
    for (let i = 0; i < point.length; i++) point[i] = start[i]! + scales[i]! * at[i]!;
    return point;
  };
  const scaledObjective: SmoothObjective = (at, gradient) => {
    const value = objective(unscaled(at), gradient);
    for (let i = 0; i < gradient.length; i++) gradient[i]! *= scales[i]!;
    return value;
  };
  const wanted = tolerance * scales.reduce((least, scale) => Math.min(least, scale), 1);
  const found = limitedMemoryBfgs(scaledObjective, new Float64Array(start.length), {
    tolerance: wanted,
    maximumIterations,
    ...(pulse === undefined ? {} : { pulse }),
  });
  if (!found.converged && !(found.gradient <= 100 * wanted)) {
    throw new WarrenError(
      'RUN_FAILED',
      `logistic regression did not reach its optimum: after ${found.iterations} iterations the scaled gradient is ${found.gradient.toExponential(2)}, where ${wanted.toExponential(2)} is wanted`,
    );
  }
  const { weights, intercepts } = uncentred(unscaled(found.point), centred, classes);
  return { classes, width: samples.width, weights, intercepts, iterations: found.iterations };
}
