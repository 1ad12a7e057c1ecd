import { canonicalJson } from '#src/base/lib/stableHash.ts';
import { categoryOf, type Distribution, type NumericDistribution, unitCell, valueAt } from './distribution.ts';
import { type Cell, type Coordinates, type ParzenAxis, parzenEstimator } from './parzenEstimator.ts';
import { randomPoint } from './randomSampler.ts';
import { randomStream } from './randomStream.ts';
import { isActive, type Point, type SearchParameter, type SearchSpace } from './searchSpace.ts';
import type { PastTrial } from './trialHistory.ts';

/**
 * Tree-structured Parzen estimator (J. Bergstra, R. Bardenet, Y. Bengio, B. Kégl, Algorithms for Hyper-Parameter
 * Optimization, NeurIPS 2011) as the `TPESampler(multivariate=True, group=True, constant_liar=True)` of Optuna 5 has it: of 24
 * candidates drawn around the good trials, the one that is likeliest among the good (l) against the others (g).
 */

/** Trials drawn at random until so many have ended. */
const STARTUP_TRIALS = 10;
const CANDIDATES = 24;
/** The good ones are a tenth of the trials that ended, and at most so many. */
const MOST_GOOD = 25;

interface Split {
  good: PastTrial[];
  /** The others; with them those that run, as if they would turn out bad, so that no two are drawn alike. */
  others: PastTrial[];
}

/**
 * The good and the other trials, each in the order of their numbers. As in Optuna, trials that were stopped early are worse than
 * all that finished, and among themselves the better the longer they ran, then by the metric there. Trials that failed are
 * worse than all that did not.
 */
function split(history: readonly PastTrial[]): Split {
  const ended = history.filter(({ outcome }) => outcome !== 'running');
  const ranked = history
    .flatMap((trial) => rankOf(trial) ?? [])
    .sort((a, b) => a.left - b.left || a.loss - b.loss || a.trial.number - b.trial.number)
    .map(({ trial }) => trial);
  const good = new Set<PastTrial>(ranked.slice(0, Math.min(MOST_GOOD, Math.ceil(ended.length / 10))));
  const inOrder = [...history].sort((a, b) => a.number - b.number);
  return {
    good: inOrder.filter((trial) => good.has(trial)),
    others: inOrder.filter((trial) => !good.has(trial)),
  };
}

interface Ranked {
  trial: PastTrial;
  /** 0 where it finished, else the smaller the longer it ran. */
  left: number;
  loss: number;
}

function rankOf(trial: PastTrial): Ranked | null {
  const { outcome } = trial;
  if (typeof outcome === 'number') return { trial, left: 0, loss: outcome };
  if (typeof outcome === 'string') return null;
  return { trial, left: 1 / outcome.iteration, loss: outcome.loss === 'failed' ? Number.MAX_VALUE : outcome.loss };
}

/** Trial `number`, a function of its arguments alone. */
export function tpePoint(
  space: SearchSpace,
  { seed, number, history }: { seed: number; number: number; history: readonly PastTrial[] },
): Point {
  const ended = history.filter(({ outcome }) => outcome !== 'running').length;
  const parts = ended < STARTUP_TRIALS ? null : split(history);
  if (parts === null || parts.good.length === 0) return randomPoint(space, { seed, number });
  const point: Record<string, unknown> = {};
  for (const group of groupsOf(space)) {
    if (!isActive(group[0]!, point)) continue;
    const random = randomStream('tpe', seed, number, group[0]!.path);
    const chosen = bestCandidate(group, parts, random);
    for (const [index, { path, distribution }] of group.entries()) {
      point[path] = drawnValue(distribution, chosen[index]!);
    }
  }
  return point;
}

/** Parameters that are drawn under the same conditions, and so together. */
function groupsOf(space: SearchSpace): SearchParameter[][] {
  const groups = new Map<string, SearchParameter[]>();
  for (const parameter of space) {
    const key = canonicalJson(parameter.when);
    const group = groups.get(key) ?? [];
    group.push(parameter);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function bestCandidate(group: readonly SearchParameter[], { good, others }: Split, random: () => number): Coordinates {
  const estimatorOf = (trials: readonly PastTrial[]) => {
    const observations = trials.flatMap(({ point }) => observed(group, point) ?? []);
    const axes = group.map(({ distribution }, index) =>
      axisOf(
        distribution,
        observations.map(({ coordinates }) => coordinates[index]!),
      ),
    );
    return parzenEstimator(axes, observations.length);
  };
  const likely = estimatorOf(good);
  const unlikely = estimatorOf(others);
  let best: Coordinates = [];
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let candidate = 0; candidate < CANDIDATES; candidate++) {
    const drawn = likely.sample(random);
    const score = likely.logDensity(drawn) - unlikely.logDensity(drawn);
    if (best.length > 0 && score <= bestScore) continue;
    best = drawn;
    bestScore = score;
  }
  return best;
}

/** Where a trial lies in the parameters of a group; null where it has not all of them, or values that are none any more. */
function observed(group: readonly SearchParameter[], point: Point): { coordinates: number[] } | null {
  const coordinates: number[] = [];
  for (const { path, distribution } of group) {
    const value = point[path];
    if (distribution.type === 'categorical') {
      const place = categoryOf(distribution, value);
      if (place < 0) return null;
      coordinates.push(place);
    } else {
      if (typeof value !== 'number') return null;
      const { low, high } = unitCell(distribution, value);
      coordinates.push((low + high) / 2);
    }
  }
  return { coordinates };
}

function axisOf(distribution: Distribution, places: readonly number[]): ParzenAxis {
  if (distribution.type === 'categorical') {
    return { type: 'categorical', observed: places, prior: distribution.probabilities };
  }
  return {
    type: 'numeric',
    observed: places,
    cellOf: distribution.step === null ? null : (unit) => cellAt(distribution, unit),
  };
}

function cellAt(distribution: NumericDistribution, unit: number): Cell {
  const value = valueAt(distribution, unit);
  return unitCell(distribution, typeof value === 'number' ? value : Number.NaN);
}

function drawnValue(distribution: Distribution, coordinate: number): unknown {
  return distribution.type === 'categorical' ? distribution.values[coordinate] : valueAt(distribution, coordinate);
}
