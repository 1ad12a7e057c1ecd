import { MetricHistoryDocument, MetricsLoggedDocument } from '#web/generated/graphql.ts';
import { createStore } from '#web/lib/store.ts';
import { onReturn } from '#web/api/connection.ts';
import { type CurveQuestion, curveQuestions } from './curveQuestions.ts';
import { type CurveSet, createKnownCurves } from './knownCurves.ts';
import { type MetricSeries, readSeries } from '#web/lib/metricSeries.ts';
import { subscribe } from '#web/api/subscribe.ts';
import { request } from '#web/api/request.ts';

interface LiveCurves {
  /** Follows these metrics of these runs from now on, and no others. */
  follow(runIds: readonly string[], names: readonly string[]): void;
  stop(): void;
}

/** New points of live runs, by one subscription that changes with what is followed. */
function liveCurves(options: {
  /** Up to where metrics of a run are known. */
  cursorOf(run: string, names: readonly string[]): number;
  onSeries(newer: MetricSeries): void;
  onError(error: unknown): void;
}): LiveCurves {
  let followed = '';
  let unfollow = () => {};
  return {
    follow(runIds, names) {
      const wanted = JSON.stringify([runIds, names]);
      if (wanted === followed) return;
      followed = wanted;
      unfollow();
      unfollow = () => {};
      if (runIds.length === 0 || names.length === 0) return;
      unfollow = subscribe(
        MetricsLoggedDocument,
        () => ({ runIds: [...runIds], names: [...names], after: runIds.map((run) => options.cursorOf(run, names)) }),
        {
          onData({ metricsLogged }) {
            for (const columns of metricsLogged.series) options.onSeries(readSeries(columns));
          },
          onError: options.onError,
        },
      );
    },
    stop: () => unfollow(),
  };
}

/** The runs whose curves are shown, with whether new points are to be expected. */
export interface FollowedRun {
  id: string;
  isLive: boolean;
}

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
  const known = createKnownCurves();
  let runs: readonly FollowedRun[] = [];
  let abort = new AbortController();
  /** Metrics of runs whose answer is under way. */
  const asked = new Set<string>();
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

  /** Asks for what is in sight and not known. */
  const gather = () => {
    gatherTimer = undefined;
    if (stopped || runs.length === 0) return;
    const lacking = names().map((name) => ({
      name,
      runIds: runs.flatMap(({ id }) => (known.has(name, id) || asked.has(key(id, name)) ? [] : [id])),
    }));
    const maxPoints = pointsOf(runs.length);
    for (const question of curveQuestions(lacking, maxPoints)) void read(question, maxPoints);
    follow();
  };
  const later = () => {
    gatherTimer ??= setTimeout(gather, GATHER_MS);
  };

  const read = async (question: CurveQuestion, maxPoints: number) => {
    const pairs = question.names.flatMap((name) => question.runIds.map((id) => key(id, name)));
    for (const pair of pairs) asked.add(pair);
    const { signal } = abort;
    try {
      const { metricHistory } = await request(MetricHistoryDocument, { ...question, maxPoints }, signal);
      if (signal.aborted) return;
      known.take(question.runIds, question.names, metricHistory);
      problem.set(null);
      draw();
    } catch (error) {
      if (!signal.aborted) problem.set(error);
    } finally {
      for (const pair of pairs) asked.delete(pair);
    }
    follow();
  };

  const live = liveCurves({
    cursorOf: known.cursorOf,
    onSeries(newer) {
      const length = known.merge(newer);
      if (length === null) return;
      // grown far beyond what a panel shows: read anew, in pieces
      if (length > 3 * pointsOf(runs.length)) known.forget(newer.name, newer.runId);
      drawTimer ??= setTimeout(() => {
        draw();
        later();
      }, DRAW_MS);
    },
    onError: (error) => problem.set(error),
  });

  /** Follows the live runs of what is in sight and read. */
  const follow = () => {
    if (stopped) return;
    const ids = runs.flatMap(({ id, isLive }) => (isLive ? [id] : [])).slice(0, MOST_LIVE);
    live.follow(
      ids,
      names().filter((name) => ids.some((id) => known.has(name, id))),
    );
  };

  const stopWaiting = onReturn(() => {
    known.forgetAll();
    later();
  });
  return {
    problem,
    get: (name) => known.setOf(name, runs),
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
      if (coarser) known.forgetAll();
      // the last points of a run that ended may not have come
      for (const { id } of ended) known.forgetRun(id);
      if (!isSame || ended.length > 0) {
        // what is to be read anew stays as it is meanwhile
        known.renewSets();
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
      live.stop();
    },
  };
}
