import type { MetricHistoryQuery } from '#web/generated/graphql.ts';
import { type MetricSeries, mergeSeries, readSeries } from '#web/lib/metricSeries.ts';

/** The series of a metric, one for each run that has it. */
export type CurveSet = readonly MetricSeries[];

/** Series that have been read, and up to where. */
export interface KnownCurves {
  /** Whether a metric of a run has been read, be it that the run has none. */
  has(name: string, run: string): boolean;
  /** The series of a metric of these runs; the same list until they change; null before the first answer. */
  setOf(name: string, runs: readonly { id: string }[]): CurveSet | null;
  /** Takes the answer to a question for metrics of runs. */
  take(runIds: readonly string[], names: readonly string[], answer: MetricHistoryQuery['metricHistory']): void;
  /** Adds newer points. Answers how long the series is now; null where it has not been read. */
  merge(newer: MetricSeries): number | null;
  /** Up to where all of these metrics of a run have been read; 0 where none has. */
  cursorOf(run: string, names: readonly string[]): number;
  /** To be read anew; it is shown as it was meanwhile. */
  forget(name: string, run: string): void;
  forgetRun(run: string): void;
  forgetAll(): void;
  /** Other runs are shown, or in another order: lists are made anew. */
  renewSets(): void;
}

export function createKnownCurves(): KnownCurves {
  /** By metric, then by run; null: the run has none. */
  const known = new Map<string, Map<string, MetricSeries | null>>();
  const sets = new Map<string, CurveSet>();
  const cursors = new Map<string, number>();
  /** By run: a series that an answer lacks had no point up to there. */
  const runCursors = new Map<string, number>();

  const key = (run: string, name: string) => `${run} ${name}`;
  const put = (name: string, run: string, series: MetricSeries | null) => {
    const ofName = known.get(name) ?? new Map<string, MetricSeries | null>();
    known.set(name, ofName.set(run, series));
    sets.delete(name);
  };

  return {
    has: (name, run) => known.get(name)?.has(run) === true,
    setOf(name, runs) {
      const ofName = known.get(name);
      const kept = sets.get(name);
      if (kept !== undefined) return kept;
      if (ofName === undefined || ofName.size === 0) return null;
      const set = runs.flatMap(({ id }) => ofName.get(id) ?? []);
      sets.set(name, set);
      return set;
    },
    take(runIds, names, answer) {
      const seen = new Map<string, number>();
      const earlier = new Map(runCursors);
      for (const { runId, cursor } of answer) {
        seen.set(runId, cursor);
        runCursors.set(runId, Math.max(cursor, runCursors.get(runId) ?? 0));
      }
      for (const name of names) {
        for (const id of runIds) {
          put(name, id, null);
          cursors.set(key(id, name), seen.get(id) ?? earlier.get(id) ?? 0);
        }
      }
      for (const columns of answer) put(columns.name, columns.runId, readSeries(columns));
    },
    merge(newer) {
      const before = known.get(newer.name)?.get(newer.runId);
      if (before === undefined) return null;
      const merged = before === null ? newer : mergeSeries(before, newer);
      put(newer.name, newer.runId, merged);
      cursors.set(key(newer.runId, newer.name), newer.cursor);
      return merged.steps.length;
    },
    cursorOf(run, names) {
      const found = names.flatMap((name) => cursors.get(key(run, name)) ?? []);
      return found.length === 0 ? 0 : Math.min(...found);
    },
    forget: (name, run) => void known.get(name)?.delete(run),
    forgetRun(run) {
      for (const ofName of known.values()) ofName.delete(run);
    },
    forgetAll: () => known.clear(),
    renewSets() {
      for (const name of known.keys()) sets.delete(name);
    },
  };
}
