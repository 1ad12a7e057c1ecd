import type { TrialSet } from './trialSet.ts';

export interface TrialColumn {
  id: string;
  type: 'trial' | 'state' | 'objective' | 'parameter' | 'seed' | 'runs';
  /** Of a parameter its place among them; of a seed the seed. */
  place: number;
  title: string;
  /** The whole path. */
  hint: string;
  isNumber: boolean;
  /** By what it is sorted; null where it cannot be. */
  value: ((index: number) => unknown) | null;
}

export interface Order {
  column: string;
  descending: boolean;
}

/** With more seeds, their values are left to the pages of the runs. */
const MOST_SEEDS = 6;

/** Trial, state, objective, what varies, and the values of the seeds or the runs. */
export function trialTableColumns(trials: TrialSet, seeds: readonly number[]): TrialColumn[] {
  const perSeed = seeds.length > 1 && seeds.length <= MOST_SEEDS;
  const plain = { place: 0, hint: '' };
  return [
    { ...plain, id: 'trial', type: 'trial', title: 'Trial', isNumber: true, value: (index) => index },
    { ...plain, id: 'state', type: 'state', title: 'State', isNumber: false, value: (index) => trials.states[index] },
    {
      ...plain,
      ...{ id: 'objective', type: 'objective', title: trials.objective.title, isNumber: true },
      value: (index) => trials.objectives[index],
    },
    ...trials.parameters.map(
      ({ path, title, values }, place): TrialColumn => ({
        ...{ id: `parameter ${path}`, type: 'parameter', place, title, hint: path },
        isNumber: values.every((value) => value === null || typeof value === 'number'),
        value: (index) => values[index],
      }),
    ),
    ...(perSeed ? seeds : []).map(
      (seed): TrialColumn => ({
        ...{
          id: `seed ${seed}`,
          type: 'seed',
          place: seed,
          title: `seed ${seed}`,
          hint: 'Value of the run, and the way to it',
        },
        isNumber: true,
        value: (index) => trials.runs[index]?.find((run) => run.seed === seed)?.value,
      }),
    ),
    ...(perSeed
      ? []
      : [
          {
            ...plain,
            id: 'runs',
            type: 'runs',
            title: seeds.length > 1 ? 'Runs' : 'Run',
            isNumber: false,
            value: null,
          } as const,
        ]),
  ];
}

/** Indexes of the trials in an order; those without a value come last either way. */
export function sortTrials(trials: TrialSet, columns: readonly TrialColumn[], { column, descending }: Order): number[] {
  const value = columns.find(({ id }) => id === column)?.value ?? ((index: number) => index);
  const sign = descending ? -1 : 1;
  return Array.from({ length: trials.count }, (_, index) => ({ index, value: value(index) }))
    .sort((a, b) => missingLast(a.value, b.value) || sign * compare(a.value, b.value) || a.index - b.index)
    .map(({ index }) => index);
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'number' && Number.isNaN(value));
}

/** Values first, then ∞ either way, which is nobody's best, then what is missing. */
function missingLast(a: unknown, b: unknown): number {
  return absence(a) - absence(b);
}

function absence(value: unknown): number {
  if (isMissing(value)) return 2;
  return typeof value === 'number' && !Number.isFinite(value) ? 1 : 0;
}

function compare(a: unknown, b: unknown): number {
  if (isMissing(a) && isMissing(b)) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a === b ? 0 : a < b ? -1 : 1;
  const [left, right] = [String(a), String(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}
