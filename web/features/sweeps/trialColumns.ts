import type { SweepTrialsQuery } from '#web/generated/graphql.ts';

/** Trials of a sweep in columns; entry i of each list is trial i. */
export type TrialColumns = NonNullable<SweepTrialsQuery['sweep']>['trialColumns'];

/** The trials that are known, with those read anew in place of the last ones. */
export function mergeTrials(known: TrialColumns | null, read: TrialColumns): TrialColumns {
  const from = read.numbers[0];
  if (known === null || from === undefined) return known ?? read;
  const keep = known.numbers.findIndex((number) => number >= from);
  const count = keep < 0 ? known.numbers.length : keep;
  const join = <Value>(before: readonly Value[], after: readonly Value[]) => [...before.slice(0, count), ...after];
  const paths = [...new Set([...known.parameters, ...read.parameters].map(({ path }) => path))].sort();
  const valuesOf = ({ parameters, numbers }: TrialColumns, path: string) =>
    parameters.find((one) => one.path === path)?.values ?? numbers.map(() => null);
  const firstRun = known.runs.trials.findIndex((trial) => trial >= from);
  const runs = firstRun < 0 ? known.runs.trials.length : firstRun;
  const joinRuns = <Value>(before: readonly Value[], after: readonly Value[]) => [...before.slice(0, runs), ...after];
  return {
    numbers: join(known.numbers, read.numbers),
    states: join(known.states, read.states),
    objectives: join(known.objectives, read.objectives),
    errors: join(known.errors, read.errors),
    rungs: join(known.rungs, read.rungs),
    rungValues: join(known.rungValues, read.rungValues),
    parameters: paths.map((path) => ({ path, values: join(valuesOf(known, path), valuesOf(read, path)) })),
    runs: {
      trials: joinRuns(known.runs.trials, read.runs.trials),
      ids: joinRuns(known.runs.ids, read.runs.ids),
      numbers: joinRuns(known.runs.numbers, read.runs.numbers),
      seeds: joinRuns(known.runs.seeds, read.runs.seeds),
      states: joinRuns(known.runs.states, read.runs.states),
      values: joinRuns(known.runs.values, read.runs.values),
    },
  };
}
