import { categoryOf, type Distribution, unitCell } from '../distribution.ts';
import { randomStream } from '../randomStream.ts';
import { isConstant, type Point, type SearchParameter, type SearchSpace } from '../searchSpace.ts';
import { varianceShares } from './functionalAnova.ts';
import { type Dimension, growForest } from './regressionForest.ts';

/** A trial with a finite objective. */
export interface MeasuredTrial {
  point: Point;
  objective: number;
}

export interface ParameterImportance {
  path: string;
  /** 0 to 1; those of the parameters that every trial has sum to 1. */
  importance: number;
  /** Trials that it was estimated from: those that have the parameter. */
  trials: number;
}

/** As Optuna's `FanovaImportanceEvaluator`. */
const TREES = 64;
/** Fewer trials say nothing about which parameter matters. */
export const FEWEST_TRIALS = 8;
/** Of more trials, so many are taken, evenly over their order: it bounds the time. */
const MOST_TRIALS = 2000;

/**
 * How much of the objective's variation over the search space each varied parameter explains by itself, after fANOVA. The space
 * is measured as the sweep draws from it: a decade of a log-uniform parameter counts as much as another one. A parameter under a
 * condition is estimated from the trials that have it, beside the parameters that all have.
 * @param breathe is awaited now and then, so that whoever waits for the processor gets it.
 * @returns the most important first; empty with fewer than eight trials, or where the objective does not vary.
 */
export async function parameterImportance(
  space: SearchSpace,
  trials: readonly MeasuredTrial[],
  breathe: () => Promise<unknown>,
): Promise<ParameterImportance[]> {
  const varied = space.filter((parameter) => !isConstant(parameter));
  const always = varied.filter(({ when }) => when.length === 0);
  const found = await importanceAmong(always, trials, breathe);
  for (const parameter of varied) {
    if (parameter.when.length === 0) continue;
    const among = await importanceAmong([...always, parameter], trials, breathe);
    found.push(...among.filter(({ path }) => path === parameter.path));
  }
  return found.sort((a, b) => b.importance - a.importance || (a.path < b.path ? -1 : 1));
}

async function importanceAmong(
  parameters: SearchSpace,
  trials: readonly MeasuredTrial[],
  breathe: () => Promise<unknown>,
): Promise<ParameterImportance[]> {
  const placed = trials.flatMap(({ point, objective }) => {
    const places = parameters.map((parameter) => placeOf(parameter, point));
    return places.some((place) => place === null) ? [] : [{ places, objective }];
  });
  if (parameters.length === 0 || placed.length < FEWEST_TRIALS) return [];
  const stride = Math.max(1, placed.length / MOST_TRIALS);
  const taken = Array.from({ length: Math.floor(placed.length / stride) }, (_, at) => placed[Math.floor(at * stride)]!);
  const dimensions = parameters.map(({ distribution }) => dimensionOf(distribution));
  const columns = parameters.map((_, index) => Float64Array.from(taken, ({ places }) => places[index] ?? 0));
  const targets = Float64Array.from(taken, ({ objective }) => objective);
  const sums = parameters.map(() => 0);
  const forest = growForest({ dimensions, columns, targets }, randomStream('importance'));
  for (let tree = 0; tree < TREES; tree++) {
    // trees are alike in their weight: what they explain sums to the same shares as their mean
    for (const [index, share] of (varianceShares(forest.next().value, dimensions) ?? []).entries())
      sums[index]! += share;
    await breathe();
  }
  const total = sums.reduce((sum, share) => sum + share, 0);
  if (total === 0) return [];
  return parameters.map(({ path }, index) => ({
    path,
    importance: sums[index]! / total,
    trials: placed.length,
  }));
}

function dimensionOf(distribution: Distribution): Dimension {
  if (distribution.type === 'numeric') return { type: 'interval' };
  return { type: 'categories', count: distribution.values.length };
}

/** Where a value lies in its dimension; null where the trial has none, or one that the space has no more. */
function placeOf({ path, distribution }: SearchParameter, point: Point): number | null {
  const value = point[path];
  if (value === undefined) return null;
  if (distribution.type === 'categorical') {
    const place = categoryOf(distribution, value);
    return place < 0 ? null : place;
  }
  if (typeof value !== 'number') return null;
  const { low, high } = unitCell(distribution, value);
  return (low + high) / 2;
}
