import type { SweepParameter } from './useSweep.ts';
import { drawingOrder } from '#web/charts/plot/plotPoints.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import type { SweepDefinition } from './sweepDefinition.ts';
import type { TrialColumns } from './trialColumns.ts';
import { categoryAxis, numberAxis, type ValueAxis } from '#web/lib/valueAxis.ts';
import { shortTitles } from './trialLabel.ts';

export interface TrialRun {
  id: string;
  number: number;
  seed: number;
  state: TrialColumns['runs']['states'][number];
  /** NaN without any. */
  value: number;
}

/** A parameter that the sweep varies, with the value of each trial. */
export interface VariedParameter {
  path: string;
  /** The last part of the path, or more of it where that alone is not clear. */
  title: string;
  axis: ValueAxis;
  /** Null where a trial does not have it. */
  values: readonly unknown[];
  places: Float64Array;
}

/** All trials of a sweep, ready to be drawn: entry i of every list is trial i. */
export interface TrialSet {
  count: number;
  states: TrialColumns['states'];
  errors: TrialColumns['errors'];
  /** NaN where there is none. */
  objectives: Float64Array;
  /** Of trials that were stopped early: the metric where they were, and after how many values of it; NaN of the others. */
  stopped: { values: Float64Array; rungs: TrialColumns['rungs'] };
  parameters: readonly VariedParameter[];
  objective: { title: string; axis: ValueAxis; places: Float64Array };
  /** Rank of the objective, 0 (worst) to 1 (best); NaN without one. */
  goodness: Float64Array;
  order: Int32Array;
  /** Trials that were better than all before them. */
  records: readonly number[];
  runs: readonly (readonly TrialRun[])[];
}

/** Of positive objectives that differ by such a factor, logarithms are drawn. */
const WIDE = 100;

/** What the page of a sweep draws, from what the API said. */
export function trialSet(
  columns: TrialColumns,
  parameters: readonly SweepParameter[],
  metric: SweepDefinition['metric'],
): TrialSet {
  const count = columns.numbers.length;
  const objectives = Float64Array.from(columns.objectives, (value) => (value === null ? Number.NaN : toNumber(value)));
  const varied = parameters.filter(({ constant }) => !constant);
  const titles = shortTitles(varied.map(({ path }) => path));
  const minimize = metric?.goal === 'minimize';
  const stopped = Float64Array.from(columns.rungValues, (value, index) =>
    value === null || columns.states[index] !== 'PRUNED' ? Number.NaN : toNumber(value),
  );
  const objectiveAxis = axisOfObjective(Float64Array.of(...objectives, ...stopped), minimize);
  const goodness = rankGoodness(objectives, minimize);
  return {
    count,
    states: columns.states,
    errors: columns.errors,
    objectives,
    stopped: { values: stopped, rungs: columns.rungs },
    parameters: varied.map((parameter, index) => {
      const values = columns.parameters.find(({ path }) => path === parameter.path)?.values ?? Array(count).fill(null);
      const axis = axisOfParameter(parameter, values);
      const places = Float64Array.from(values, (value) => (value === null ? Number.NaN : axis.place(value)));
      return { path: parameter.path, title: titles[index]!, axis, values, places };
    }),
    objective: {
      title: metric?.name ?? 'objective',
      axis: objectiveAxis,
      // a trial that was stopped early stands, without a colour, where it came to
      places: objectives.map((value, index) => objectiveAxis.place(Number.isNaN(value) ? stopped[index] : value)),
    },
    goodness,
    order: drawingOrder(goodness),
    records: recordsOf(objectives, minimize),
    runs: runsOf(columns, count),
  };
}

function axisOfParameter(parameter: SweepParameter, values: readonly unknown[]): ValueAxis {
  const seen = values.filter((value) => value !== null);
  if (parameter.scale === 'CATEGORY') {
    const known = new Map([...(parameter.values ?? []), ...seen].map((value) => [JSON.stringify(value), value]));
    const all = [...known.values()];
    const numbers = all.filter((value) => typeof value === 'number');
    return categoryAxis(numbers.length === all.length ? numbers.sort((a, b) => a - b) : all);
  }
  const numbers = seen.filter((value) => typeof value === 'number');
  const low = Math.min(parameter.minimum ?? Number.POSITIVE_INFINITY, ...numbers);
  const high = Math.max(parameter.maximum ?? Number.NEGATIVE_INFINITY, ...numbers);
  if (!Number.isFinite(low)) return numberAxis(0, 1);
  return numberAxis(low, high, { logarithmic: parameter.scale === 'LOGARITHMIC' });
}

function axisOfObjective(objectives: Float64Array, minimize: boolean): ValueAxis {
  const finite = objectives.filter(Number.isFinite);
  if (finite.length === 0) return numberAxis(0, 1);
  const [low, high] = finite.reduce(
    ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
    [finite[0]!, finite[0]!],
  );
  const margin = (high - low) * 0.04;
  if (minimize && low > 0 && high / low > WIDE) return numberAxis(low * 0.9, high * 1.1, { logarithmic: true });
  return numberAxis(low - margin, high + margin);
}

function rankGoodness(objectives: Float64Array, minimize: boolean): Float64Array {
  const goodness = new Float64Array(objectives.length).fill(Number.NaN);
  const known = [...objectives.keys()].filter((index) => Number.isFinite(objectives[index]!));
  known.sort((a, b) => (minimize ? objectives[b]! - objectives[a]! : objectives[a]! - objectives[b]!));
  for (const [rank, index] of known.entries()) goodness[index] = known.length === 1 ? 1 : rank / (known.length - 1);
  return goodness;
}

function recordsOf(objectives: Float64Array, minimize: boolean): number[] {
  const records: number[] = [];
  let best = minimize ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for (const [index, value] of objectives.entries()) {
    if (!Number.isFinite(value) || (minimize ? value >= best : value <= best)) continue;
    best = value;
    records.push(index);
  }
  return records;
}

function runsOf({ runs }: TrialColumns, count: number): TrialRun[][] {
  const byTrial: TrialRun[][] = Array.from({ length: count }, () => []);
  for (const [index, trial] of runs.trials.entries()) {
    const value = runs.values[index];
    byTrial[trial]?.push({
      id: runs.ids[index]!,
      number: runs.numbers[index]!,
      seed: runs.seeds[index]!,
      state: runs.states[index]!,
      value: value === null || value === undefined ? Number.NaN : toNumber(value),
    });
  }
  return byTrial;
}
