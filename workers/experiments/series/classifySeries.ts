import type { KernelGrid, RntkKernel } from '#src/catalog/parameters/rntkGrids.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ClassifiedSeries, SeriesData } from '#workers/data/series/seriesData.ts';
import { stratifiedFolds } from '#workers/data/split/stratifiedFolds.ts';
import { unitSeries } from '#workers/data/series/unitSeries.ts';
import { indefiniteness } from '#workers/kernels/recurrent/definiteness.ts';
import { predictClasses, trainSupportVectorMachine } from '#workers/kernels/machines/supportVectorMachine.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { chooseFromGrid, type TieRule } from './chooseFromGrid.ts';
import { gramSource, gridPoints, type Hyperparameters, type KernelSeries } from './kernelGrid.ts';
import { type GridPlan, validateGrid } from './validateGrid.ts';

/** What one assignment of the folds chose, and how that does on the test part. Accuracies are from 0 to 1. */
export interface SelectedMachine {
  hyperparameters: Hyperparameters;
  cost: number;
  validAccuracy: number;
  testAccuracy: number;
  /** Combinations that predict as many held-out series right. */
  ties: number;
  /** How far the chosen kernel is from positive semidefinite, where rounding does not explain it; else null. */
  indefinite: string | null;
}

export interface SeriesClassification {
  /** One for each assignment of the folds. */
  selected: SelectedMachine[];
  /** Means over the assignments. */
  validAccuracy: number;
  testAccuracy: number;
  points: readonly Hyperparameters[];
  /** (assignments, points × costs) Held-out series predicted right. */
  correct: readonly Uint32Array[];
  /** Two-class problems that the solver gave up, of all. */
  givenUp: number;
  seconds: { gram: number; select: number; test: number };
}

export interface ClassificationPlan
  extends Pick<GridPlan, 'costs' | 'tolerance' | 'engine' | 'done' | 'pulse' | 'keep'> {
  kernel: RntkKernel;
  grid: KernelGrid;
  folds: number;
  foldSeeds: number;
  ties: TieRule;
  seed: number;
  /** `fraction` from 0 to 1. */
  progress(fraction: number, message: string): void;
}

/** Steps after which a two-class problem of the grid is given up: some kernels of the grids are singular within rounding. */
const MOST_STEPS = 1_000_000;

/** Series as the kernel compares them: the recurrent one takes any lengths, the others whole series of one. */
function kernelSeries(
  part: ClassifiedSeries['train'],
  kernel: RntkKernel,
  given: { name: string; length: number },
): KernelSeries {
  const sequences = unitSeries(part, { name: given.name, length: kernel === 'rntk' ? null : given.length });
  return { sequences, inputs: kernel === 'rntk' ? null : { values: sequences.values, dimension: given.length } };
}

/** The classified series, or DATA_ERROR where a dataset holds prices. */
export function classifiedSeries(data: SeriesData): ClassifiedSeries {
  if (data.holds === 'series') return data;
  throw new WarrenError('DATA_ERROR', `dataset "${data.name}" holds prices: labelled series are expected`, {
    path: 'dataset.name',
  });
}

/**
 * RNTK A.1: series of unit norm; hyperparameters and C by stratified cross-validation on the training part, for each assignment
 * of the folds by itself; then the machine trained on the whole training part predicts the test part.
 */
export function classifySeries(data: ClassifiedSeries, plan: ClassificationPlan): SeriesClassification {
  const { kernel, costs, folds, foldSeeds, seed } = plan;
  const { name, train, test } = data;
  const given = { name, length: train.offsets[1]! - train.offsets[0]! };
  const parts = { train: kernelSeries(train, kernel, given), test: kernelSeries(test, kernel, given) };
  const source = gramSource(kernel, parts, plan);
  const points = gridPoints(plan.grid);
  const assignments = Array.from({ length: foldSeeds }, (_, assignment) =>
    stratifiedFolds(train.labels, Math.min(folds, train.labels.length), randomGenerator(seed, `folds ${assignment}`)),
  );
  const { correct, givenUp, seconds } = validateGrid(source, points, {
    labels: train.labels,
    assignments,
    costs,
    tolerance: plan.tolerance,
    maximumSteps: MOST_STEPS,
    engine: plan.engine,
    done: plan.done,
    pulse: plan.pulse,
    keep: plan.keep,
    afterPoint: (done) =>
      plan.progress(done / points.length, `${name}, ${kernel}: ${done} of ${points.length} kernels`),
  });
  const started = performance.now();
  const selected = correct.map((counts) => selectAndTest(data, { counts, points, source, plan }));
  const testing = (performance.now() - started) / 1000;
  const mean = (of: (machine: SelectedMachine) => number): number =>
    selected.reduce((sum, machine) => sum + of(machine), 0) / selected.length;
  return {
    selected,
    validAccuracy: mean((machine) => machine.validAccuracy),
    testAccuracy: mean((machine) => machine.testAccuracy),
    points,
    correct,
    givenUp,
    seconds: { ...seconds, test: testing },
  };
}

/** The choice of one assignment, and the test accuracy of a machine trained with it on the whole training part. */
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
  const gram = source.gram(hyperparameters);
  const model = trainSupportVectorMachine(gram, train.labels, { cost, tolerance });
  const predicted = predictClasses(model, source.cross(hyperparameters));
  const right = predicted.reduce((sum, label, i) => sum + Number(label === test.labels[i]), 0);
  return {
    hyperparameters,
    cost,
    validAccuracy: counts[best]! / train.labels.length,
    testAccuracy: right / test.labels.length,
    ties,
    indefinite: indefiniteness(gram),
  };
}
