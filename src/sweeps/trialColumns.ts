import type { Connection } from '#src/base/database/connection.ts';
import { listTrialRuns, type TrialRunRow } from '#src/sweeps/store/sweepTrial.ts';
import { type SweepView, trialMetric } from './sweepView.ts';

/** Trials in columns: entry i of every list belongs to the same trial. */
export interface TrialColumns {
  numbers: number[];
  states: SweepView['trials'][number]['state'][];
  objectives: (number | null)[];
  errors: (string | null)[];
  /** Where each was last compared with the others, and the metric there; null where it was not. */
  rungs: (number | null)[];
  rungValues: (number | null)[];
  /** Null where a trial does not have the parameter. */
  parameters: { path: string; values: unknown[] }[];
  /** By trial and seed. */
  runs: {
    trials: number[];
    ids: string[];
    numbers: number[];
    seeds: number[];
    states: TrialRunRow['state'][];
    values: (number | null)[];
  };
}

/** The trials of a sweep from number `from` on, with their runs, in columns. */
export async function readTrialColumns(connection: Connection, view: SweepView, from: number): Promise<TrialColumns> {
  const trials = view.trials.slice(Math.max(0, from));
  const paths = [...new Set(trials.flatMap(({ point }) => Object.keys(point)))].sort();
  const runs = await listTrialRuns(connection, { sweepId: view.sweep.id, from, metric: trialMetric(view.definition) });
  return {
    numbers: trials.map(({ number }) => number),
    states: trials.map(({ state }) => state),
    objectives: trials.map(({ objective }) => objective),
    errors: trials.map(({ error }) => error),
    rungs: trials.map(({ rung }) => rung?.iteration ?? null),
    rungValues: trials.map(({ rung }) => rung?.value ?? null),
    parameters: paths.map((path) => ({ path, values: trials.map(({ point }) => point[path] ?? null) })),
    runs: {
      trials: runs.map(({ trial }) => trial),
      ids: runs.map(({ id }) => id),
      numbers: runs.map(({ number }) => number),
      seeds: runs.map(({ seed }) => seed),
      states: runs.map(({ state }) => state),
      values: runs.map(({ value }) => value),
    },
  };
}
