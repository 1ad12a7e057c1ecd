import type { SmoothObjective } from '../math/limitedMemoryBfgs.ts';

/** Features less their means. The optimum has the same weights, and intercepts that `uncentred` gives back. */
export interface CentredFeatures {
  /** (samples, width) */
  values: Float64Array;
  width: number;
  /** (width) */
  means: Float64Array;
}

export interface ObjectiveOptions {
  /** 1 for two classes by one score. */
  classes: number;
  inverseStrength: number;
}

export function centredFeatures({ features, width }: { features: ArrayLike<number>; width: number }): CentredFeatures {
  const rows = features.length / width;
  const means = new Float64Array(width);
  for (let at = 0; at < features.length; at++) means[at % width]! += features[at]! / rows;
  return { values: Float64Array.from(features, (value, at) => value - means[at % width]!), width, means };
}

/**
 * Where to start, as rows (θ_k, b_k): zeros and the intercepts of the classes' frequencies; and one over the root of the
 * curvature there, by coordinate.
 */
export function startingPoint(
  { values, width }: CentredFeatures,
  labels: ArrayLike<number>,
  { classes, inverseStrength }: ObjectiveOptions,
): { start: Float64Array; scales: Float64Array } {
  const n = labels.length;
  const squares = new Float64Array(width);
  for (let at = 0; at < values.length; at++) squares[at % width]! += values[at]! ** 2;
  const start = new Float64Array(classes * (width + 1));
  const scales = new Float64Array(start.length);
  for (let k = 0; k < classes; k++) {
    let count = 0;
    for (let i = 0; i < n; i++) if (labels[i] === (classes === 1 ? 1 : k)) count++;
    const share = (count + 0.5) / (n + 1);
    const base = k * (width + 1);
    const curvature = inverseStrength * share * (1 - share);
    start[base + width] = classes === 1 ? Math.log(share / (1 - share)) : Math.log(share);
    for (let d = 0; d < width; d++) scales[base + d] = 1 / Math.sqrt(1 + curvature * squares[d]!);
    scales[base + width] = 1 / Math.sqrt(curvature * n);
  }
  return { start, scales };
}

/** Weights and intercepts for features as they were; those of several classes with intercepts of mean 0. */
export function uncentred(
  point: Float64Array,
  { width, means }: CentredFeatures,
  classes: number,
): { weights: Float64Array; intercepts: Float64Array } {
  const weights = new Float64Array(classes * width);
  const intercepts = new Float64Array(classes);
  for (let k = 0; k < classes; k++) {
    const base = k * (width + 1);
    weights.set(point.subarray(base, base + width), k * width);
    intercepts[k] = point[base + width]!;
    for (let d = 0; d < width; d++) intercepts[k]! -= point[base + d]! * means[d]!;
  }
  if (classes > 1) {
    const mean = intercepts.reduce((sum, value) => sum + value, 0) / classes;
    for (let k = 0; k < classes; k++) intercepts[k]! -= mean;
  }
  return { weights, intercepts };
}

function penalty(point: Float64Array, gradient: Float64Array, width: number): number {
  let squares = 0;
  for (let at = 0; at < point.length; at++) {
    const isIntercept = at % (width + 1) === width;
    gradient[at] = isIntercept ? 0 : point[at]!;
    if (!isIntercept) squares += point[at]! ** 2;
  }
  return squares / 2;
}

/** ½ Σ |θ_k|² + C Σ_i -log p(y_i), p(k) ∝ exp(θ_k·x + b_k), of parameters as rows (θ_k, b_k). */
export function multinomialObjective(
  { values: x, width }: CentredFeatures,
  labels: ArrayLike<number>,
  { classes, inverseStrength: strength }: ObjectiveOptions,
): SmoothObjective {
  const probabilities = new Float64Array(classes);
  return (point, gradient) => {
    let loss = 0;
    const squares = penalty(point, gradient, width);
    for (let row = 0; row < labels.length; row++) {
      const from = row * width;
      let largest = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < classes; k++) {
        const base = k * (width + 1);
        let score = point[base + width]!;
        for (let d = 0; d < width; d++) score += point[base + d]! * x[from + d]!;
        probabilities[k] = score;
        if (score > largest) largest = score;
      }
      let sum = 0;
      const own = probabilities[labels[row]!]! - largest;
      for (let k = 0; k < classes; k++) {
        probabilities[k] = Math.exp(probabilities[k]! - largest);
        sum += probabilities[k]!;
      }
      loss += Math.log(sum) - own;
      for (let k = 0; k < classes; k++) {
        const slope = strength * (probabilities[k]! / sum - (k === labels[row] ? 1 : 0));
        const base = k * (width + 1);
        for (let d = 0; d < width; d++) gradient[base + d]! += slope * x[from + d]!;
        gradient[base + width]! += slope;
      }
    }
    return squares + strength * loss;
  };
}

/** ½ |θ|² + C Σ_i log(1 + exp(∓(θ·x + b))), of parameters (θ, b); labels are 1 and 0. */
export function binaryObjective(
  { values: x, width }: CentredFeatures,
  isOwn: ArrayLike<number>,
  { inverseStrength: strength }: ObjectiveOptions,
): SmoothObjective {
  return (point, gradient) => {
    let loss = 0;
    const squares = penalty(point, gradient, width);
    for (let row = 0; row < isOwn.length; row++) {
      let score = point[width]!;
      for (let d = 0; d < width; d++) score += point[d]! * x[row * width + d]!;
      const margin = isOwn[row] === 1 ? score : -score;
      const small = Math.exp(-Math.abs(margin));
      loss += Math.log1p(small) + Math.max(0, -margin);
      const miss = (margin >= 0 ? small : 1) / (1 + small);
      const slope = strength * (isOwn[row] === 1 ? -miss : miss);
      for (let d = 0; d < width; d++) gradient[d]! += slope * x[row * width + d]!;
      gradient[width]! += slope;
    }
    return squares + strength * loss;
  };
}
