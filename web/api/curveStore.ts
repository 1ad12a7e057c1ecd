import { MetricHistoryDocument, MetricsLoggedDocument } from '../generated/graphql.ts';
import { type MetricSeries, mergeSeries, readSeries } from '../lib/metricSeries.ts';
import { createStore } from '../lib/store.ts';
import { onReturn } from './connection.ts';
import { request } from './request.ts';
import { subscribe } from './subscribe.ts';

/** The runs whose curves are shown, with whether new points are to be expected. */
export interface FollowedRun {
  id: string;
  isLive: boolean;
}

/** The series of a metric, one for each run that has it. */
export type CurveSet = readonly MetricSeries[];

export interface CurveStore {
  /** The series of a metric as far as they are read; the same list until they change; null before the first answer. */
  get(name: string): CurveSet | null;
  subscribe(listener: () => void): () => void;
  /** Says that a panel with these metrics is in sight, until the returned function is called. */
  show(names: readonly string[]): () => void;
  /** Changes what runs are shown: what is known of those that stay is kept. */
  setRuns(runs: readonly FollowedRun[]): void;
  /** What went wrong last; null when the last answer came. */
  problem: ReturnType<typeof createStore<unknown>>;
  stop(): void;
}

/** Panels that come into sight within this time ask together. */
const GATHER_MS = 60;
/** New points are drawn at most this often. */
const DRAW_MS = 250;
/** Points of one question at most: the API cuts longer answers into fewer pieces. */
const MOST_POINTS = 80_000;
/** Runs that are followed at once; those beyond are read when the page is opened anew. */
const MOST_LIVE = 100;

/** A curve of few runs may be finer than those of many. */
function pointsOf(runCount: number): number {
  return runCount <= 20 ? 1_000 : 500;
}

/**
 * Series for all panels of a page: read for metrics in sight alone, all panels in one question where the answer is not too
 * large; then only what is newer comes. What went out of sight is kept, and brought up to date when it is seen again.
 */
export function createCurveStore(): CurveStore {
  const version = createStore(0);
  const problem = createStore<unknown>(null);
  const shown = new Map<string, number>();
  /** By metric, then by run; null: the run has none. */
  const known = new Map<string, Map<string, MetricSeries | null>>();
  const sets = new Map<string, CurveSet>();
  const cursors = new Map<string, number>();
  /** By run: a series that an answer lacks had no point up to there. */
  const runCursors = new Map<string, number>();
  let runs: readonly FollowedRun[] = [];
  let abort = new AbortController();
  const asked = new Set<string>();
  let followed = '';
  let unfollow = () => {};
  let gatherTimer: ReturnType<typeof setTimeout> | undefined;
  let drawTimer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const names = () => [...shown.keys()].sort();
  const key = (run: string, name: string) => `${run} ${name}`;
  const draw = () => {
    clearTimeout(drawTimer);
    drawTimer = undefined;
    version.set(version.get() + 1);
  };
  const put = (name: string, run: string, series: MetricSeries | null) => {
    const ofName = known.get(name) ?? new Map<string, MetricSeries | null>();
    known.set(name, ofName.set(run, series));
    sets.delete(name);
  };

  /** Asks for what is in sight and not known. */
  const gather = () => {
    gatherTimer = undefined;
    if (stopped || runs.length === 0) return;
    const missing = new Map<string, { runIds: string[]; names: string[] }>();
    for (const name of names()) {
      const lacking = runs.filter(({ id }) => known.get(name)?.has(id) !== true && !asked.has(key(id, name)));
      if (lacking.length === 0) continue;
      const runIds = lacking.map(({ id }) => id);
      const same = missing.get(runIds.join()) ?? { runIds, names: [] };
      same.names.push(name);
      missing.set(runIds.join(), same);
    }
    for (const question of missing.values()) {
      const maxPoints = pointsOf(runs.length);
      const atOnce = Math.max(1, Math.floor(MOST_POINTS / (question.runIds.length * maxPoints)));
      for (let from = 0; from < question.names.length; from += atOnce) {
        void read(question.runIds, question.names.slice(from, from + atOnce), maxPoints);
      }
    }
    follow();
  };
  const later = () => {
    gatherTimer ??= setTimeout(gather, GATHER_MS);
  };

  const read = async (runIds: string[], wanted: string[], maxPoints: number) => {
    const pairs = wanted.flatMap((name) => runIds.map((id) => key(id, name)));
    for (const pair of pairs) asked.add(pair);
    const { signal } = abort;
    try {
      const { metricHistory } = await request(MetricHistoryDocument, { runIds, names: wanted, maxPoints }, signal);
      if (signal.aborted) return;
      const seen = new Map<string, number>();
      const earlier = new Map(runCursors);
      for (const { runId, cursor } of metricHistory) {
        seen.set(runId, cursor);
        runCursors.set(runId, Math.max(cursor, runCursors.get(runId) ?? 0));
      }
      for (const name of wanted) {
        for (const id of runIds) {
          put(name, id, null);
          cursors.set(key(id, name), seen.get(id) ?? earlier.get(id) ?? 0);
        }
      }
      for (const columns of metricHistory) put(columns.name, columns.runId, readSeries(columns));
      problem.set(null);
      draw();
    } catch (error) {
      if (!signal.aborted) problem.set(error);
    } finally {
      for (const pair of pairs) asked.delete(pair);
    }
    follow();
  };

  const merge = (newer: MetricSeries) => {
    const before = known.get(newer.name)?.get(newer.runId);
    if (before === undefined) return;
    const merged = before === null ? newer : mergeSeries(before, newer);
    put(newer.name, newer.runId, merged);
    cursors.set(key(newer.runId, newer.name), newer.cursor);
    // grown far beyond what a panel shows: read anew, in pieces
    if (merged.steps.length > 3 * pointsOf(runs.length)) known.get(newer.name)?.delete(newer.runId);
    drawTimer ??= setTimeout(() => {
      draw();
      later();
    }, DRAW_MS);
  };

  /** Follows the live runs of what is in sight and read. */
  const follow = () => {
    if (stopped) return;
    const live = runs.filter(({ isLive }) => isLive).slice(0, MOST_LIVE);
    const ready = names().filter((name) => live.some(({ id }) => known.get(name)?.has(id)));
    const wanted = JSON.stringify([live.map(({ id }) => id), ready]);
    if (wanted === followed) return;
    followed = wanted;
    unfollow();
    unfollow = () => {};
    if (live.length === 0 || ready.length === 0) return;
    const after = () =>
      live.map(({ id }) =>
        Math.min(...ready.flatMap((name) => cursors.get(key(id, name)) ?? []), Number.MAX_SAFE_INTEGER),
      );
    unfollow = subscribe(
      MetricsLoggedDocument,
      () => ({
        runIds: live.map(({ id }) => id),
        names: ready,
        after: after().map((cursor) => (cursor === Number.MAX_SAFE_INTEGER ? 0 : cursor)),
      }),
      {
        onData: ({ metricsLogged }) => {
          for (const columns of metricsLogged.series) merge(readSeries(columns));
        },
        onError: (error) => problem.set(error),
      },
    );
  };

  const stopWaiting = onReturn(() => {
    known.clear();
    later();
  });
  return {
    problem,
    get(name) {
      const ofName = known.get(name);
      const kept = sets.get(name);
      if (kept !== undefined) return kept;
      if (ofName === undefined || ofName.size === 0) return null;
      const set = runs.flatMap(({ id }) => ofName.get(id) ?? []);
      sets.set(name, set);
      return set;
    },
    subscribe: version.subscribe,
    show(wanted) {
      for (const name of wanted) shown.set(name, (shown.get(name) ?? 0) + 1);
      later();
      return () => {
        for (const name of wanted) {
          const left = (shown.get(name) ?? 1) - 1;
          if (left > 0) shown.set(name, left);
          else shown.delete(name);
        }
        later();
      };
    },
    setRuns(next) {
      const wasLive = new Set(runs.flatMap(({ id, isLive }) => (isLive ? [id] : [])));
      const coarser = pointsOf(next.length) !== pointsOf(runs.length) && runs.length > 0;
      const ended = next.filter(({ id, isLive }) => !isLive && wasLive.has(id));
      const isSame = !coarser && runs.map(({ id }) => id).join() === next.map(({ id }) => id).join();
      runs = next;
      if (coarser) known.clear();
      // the last points of a run that ended may not have come
      for (const { id } of ended) for (const ofName of known.values()) ofName.delete(id);
      if (!isSame || ended.length > 0) {
        // what is to be read anew stays as it is meanwhile
        for (const name of known.keys()) sets.delete(name);
        draw();
      }
      later();
    },
    stop() {
      stopped = true;
      abort.abort();
      abort = new AbortController();
      clearTimeout(gatherTimer);
      clearTimeout(drawTimer);
      stopWaiting();
      unfollow();
    },
  };
}
