import type { KernelGrid, RntkKernel } from '../../src/catalog/kinds/rntkGrids.ts';
import { WarrenError } from '../../src/contracts/errors.ts';
import type { ClassifiedSeries, SeriesData } from '../data/seriesData.ts';
import { stratifiedFolds } from '../data/stratifiedFolds.ts';
import { unitSeries } from '../data/unitSeries.ts';
import { crossValidator } from '../kernels/crossValidator.ts';
import type { GramEngine } from '../kernels/gramEngine.ts';
import type { KernelMatrix } from '../kernels/kernelMatrix.ts';
import { predictClasses, trainSupportVectorMachine } from '../kernels/supportVectorMachine.ts';
import { randomGenerator } from '../math/randomGenerator.ts';
import { chooseFromGrid, type TieRule } from './chooseFromGrid.ts';
import { gramSource, gridPoints, type Hyperparameters, type KernelSeries } from './kernelGrid.ts';

/** What one dealing of the folds chose, and how that does on the test part. Accuracies are from 0 to 1. */
export interface SelectedMachine {
  hyperparameters: Hyperparameters;
  cost: number;
  validAccuracy: number;
  testAccuracy: number;
  /** Combinations that predict as many held-out series right. */
  ties: number;
}

export interface SeriesClassification {
  /** One for each dealing of the folds. */
  selected: SelectedMachine[];
  /** Means over the dealings. */
  validAccuracy: number;
  testAccuracy: number;
  points: readonly Hyperparameters[];
  /** (dealings, points × costs) Held-out series predicted right. */
  correct: readonly Uint32Array[];
  /** Two-class problems that the solver gave up, of all. */
  givenUp: number;
  seconds: { gram: number; select: number; test: number };
}

export interface ClassificationPlan {
  kernel: RntkKernel;
  grid: KernelGrid;
  costs: readonly number[];
  folds: number;
  foldSeeds: number;
  tolerance: number;
  ties: TieRule;
  seed: number;
  engine: GramEngine | null;
  /** Called often; may throw to end. */
  pulse(): void;
  /** `fraction` from 0 to 1. */
  progress(fraction: number, message: string): void;
}

/** Steps after which a two-class problem of the grid is given up: some kernels of the grids are singular within rounding. */
const MOST_STEPS = 1_000_000;

function kernelSeries(part: ClassifiedSeries['train'], name: string, length: number): KernelSeries {
  const sequences = unitSeries(part, { name, length });
  return { sequences, inputs: { values: sequences.values, dimension: length } };
}

/** The classified series, or DATA_ERROR where a dataset holds prices. */
export function classifiedSeries(data: SeriesData): ClassifiedSeries {
  if (data.holds === 'series') return data;
  throw new WarrenError('DATA_ERROR', `dataset "${data.name}" holds prices: labelled series are expected`, {
    path: 'dataset.name',
  });
}

/**
 * RNTK A.1: chooses hyperparameters and C by stratified cross-validation on the training part, for each dealing of the folds
 * by itself; then trains on the whole training part and predicts the test part. Each Gram
 * matrix is computed once for all costs, folds and dealings.
 */
export function classifySeries(data: ClassifiedSeries, plan: ClassificationPlan): SeriesClassification {
  const { costs, folds, foldSeeds, seed, pulse, progress } = plan;
  const { name, train, test } = data;
  const length = train.offsets[1]! - train.offsets[0]!;
  const parts = { train: kernelSeries(train, name, length), test: kernelSeries(test, name, length) };
  const source = gramSource(plan.kernel, parts, plan);
  const points = gridPoints(plan.grid);
  const dealings = Array.from({ length: foldSeeds }, (_, dealing) =>
    stratifiedFolds(train.labels, Math.min(folds, train.labels.length), randomGenerator(seed, `folds ${dealing}`)),
  );
  const correct = dealings.map(() => new Uint32Array(points.length * costs.length));
  const seconds = { gram: 0, select: 0, test: 0 };
  let givenUp = 0;
  const limits = { costs, tolerance: plan.tolerance, maximumSteps: MOST_STEPS, pulse };
  const validator = crossValidator(plan.engine, { labels: train.labels, dealings, ...limits });
  try {
    for (const [p, point] of points.entries()) {
      const started = performance.now();
      const gram = source.gram(point);
      checkFinite(gram, point);
      const validating = performance.now();
      seconds.gram += (validating - started) / 1000;
      const found = validator.validate(gram);
      for (const [dealing, counts] of found.correct.entries()) correct[dealing]!.set(counts, p * costs.length);
      givenUp += found.givenUp;
      seconds.select += (performance.now() - validating) / 1000;
      progress((p + 1) / points.length, `${name}, ${plan.kernel}: ${p + 1} of ${points.length} kernels`);
    }
  } finally {
    validator.release();
  }
  const started = performance.now();
  const selected = correct.map((counts) => selectAndTest(data, { counts, points, source, plan }));
  seconds.test = (performance.now() - started) / 1000;
  const mean = (of: (machine: SelectedMachine) => number): number =>
    selected.reduce((sum, machine) => sum + of(machine), 0) / selected.length;
  return {
    selected,
    validAccuracy: mean((machine) => machine.validAccuracy),
    testAccuracy: mean((machine) => machine.testAccuracy),
    points,
    correct,
    givenUp,
    seconds,
  };
}

function checkFinite({ values }: KernelMatrix, point: Hyperparameters): void {
  if (values.every(Number.isFinite)) return;
  throw new WarrenError(
    'RUN_FAILED',
    `the kernel overflows at ${JSON.stringify(point)}: choose smaller sigmas for series this long`,
    { path: 'parameters' },
  );
}

function selectAndTest(
  { train, test }: ClassifiedSeries,
  given: {
    counts: Uint32Array;
    points: readonly Hyperparameters[];
    source: ReturnType<typeof gramSource>;
    plan: ClassificationPlan;
  },
): SelectedMachine {
  const { counts, points, source, plan } = given;
  const { costs, tolerance, pulse } = plan;
  const candidates = points.flatMap((point) => costs.map((C) => ({ ...point, C })));
  const { place: best, ties } = chooseFromGrid(candidates, counts, plan.ties);
  const hyperparameters = points[Math.floor(best / costs.length)]!;
  const cost = costs[best % costs.length]!;
  pulse();
  const model = trainSupportVectorMachine(source.gram(hyperparameters), train.labels, { cost, tolerance });
  const predicted = predictClasses(model, source.cross(hyperparameters));
  const right = predicted.reduce((sum, label, i) => sum + Number(label === test.labels[i]), 0);
  return {
    hyperparameters,
    cost,
    validAccuracy: counts[best]! / train.labels.length,
    testAccuracy: right / test.labels.length,
    ties,
  };
}
