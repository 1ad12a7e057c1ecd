import type { KernelGrid, RntkKernel } from '#src/catalog/parameters/rntkGrids.ts';
import type { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import {
  crossValidateRidges,
  kernelSpectrum,
  ridgeCoefficients,
  ridgePredictions,
} from '#workers/kernels/machines/kernelRidge.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import { gramSource, gridPoints, type Hyperparameters } from './kernelGrid.ts';
import type { Segments } from './seriesSegments.ts';

export interface RegressionPlan {
  kernel: RntkKernel;
  grid: KernelGrid;
  ridges: readonly number[];
  /** (training segments) The fold in which each is held out. */
  foldOf: Uint32Array;
  engine: NumericThreads | null;
  /** Called often; may throw to end. */
  pulse(): void;
}

export interface SegmentRegression {
  hyperparameters: Hyperparameters;
  ridge: number;
  /** Mean squared error in the cross-validation. */
  validError: number;
  /** (test segments) */
  predictions: Float64Array;
}

/** (count) Folds of nearly equal sizes, dealt at random. */
export function randomFolds(count: number, folds: number, generator: RandomGenerator): Uint32Array {
  const foldOf = Uint32Array.from({ length: count }, (_, i) => i % folds);
  generator.shuffle(foldOf);
  return foldOf;
}

/**
 * RNTK A.2: kernel ridge regression, hyperparameters and ridge with the least squared error in a cross-validation on the
 * training segments, ties to the first of the grid; one Gram matrix a point, one eigendecomposition a fold for all ridges.
 */
export function regressSegments(train: Segments, test: Segments, plan: RegressionPlan): SegmentRegression {
  const { kernel, ridges, foldOf, pulse } = plan;
  const source = gramSource(kernel, { train, test }, plan);
  let best: { point: Hyperparameters; ridge: number; error: number } | null = null;
  for (const point of gridPoints(plan.grid)) {
    pulse();
    const errors = crossValidateRidges(source.gram(point), { targets: train.targets, foldOf }, ridges);
    for (const [r, error] of errors.entries()) {
      if (best === null || error < best.error) best = { point, ridge: ridges[r]!, error };
    }
  }
  if (best === null) throw new Error('internal: an empty grid');
  const alpha = ridgeCoefficients(kernelSpectrum(source.gram(best.point)), train.targets, best.ridge);
  const predictions = ridgePredictions(source.cross(best.point), alpha);
  return { hyperparameters: best.point, ridge: best.ridge, validError: best.error, predictions };
}
