import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type MetricSeries, mergeSeries, readSeries } from '#web/lib/metricSeries.ts';
import { newerSummaries } from '#web/lib/newerSummaries.ts';
import { MetricHistoryDocument, MetricsLoggedDocument } from '#web/generated/graphql.ts';
import { onReturn } from '#web/api/connection.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';
import type { RunDetail } from '../run/useRun.ts';

interface MetricFeedOptions {
  runIds: readonly string[];
  names: readonly string[];
  /** More points than this come as buckets with minimum and maximum. */
  maxPoints: number;
  /** Whether new points are to be expected. */
  live: boolean;
}

interface MetricFeedHandlers {
  /** Called at most a few times a second with all series: a new list, unchanged series as the same objects. */
  onSeries(series: MetricSeries[]): void;
  onError(error: unknown): void;
}

/** New points are drawn at most this often. */
const DRAW_MS = 250;

/**
 * Reads the history of the metrics once, then only what is newer. When the points that came since outgrow what one
 * chart shows, and after a break of the connection, the history is read again. Returns the function that stops it.
 */
function startMetricFeed(options: MetricFeedOptions, handlers: MetricFeedHandlers): () => void {
  const series = new Map<string, MetricSeries>();
  const abort = new AbortController();
  let cleanUp = () => {};
  let added = 0;
  let drawTimer: ReturnType<typeof setTimeout> | undefined;

  const draw = () => {
    drawTimer = undefined;
    handlers.onSeries([...series.values()]);
  };
  const merge = (newer: MetricSeries) => {
    const key = JSON.stringify([newer.runId, newer.name]);
    const known = series.get(key);
    series.set(key, known === undefined ? newer : mergeSeries(known, newer));
    added += newer.steps.length;
    drawTimer ??= setTimeout(draw, DRAW_MS);
  };
  const cursors = () =>
    options.runIds.map((runId) =>
      [...series.values()].reduce((cursor, one) => (one.runId === runId ? Math.max(cursor, one.cursor) : cursor), 0),
    );
  const read = async () => {
    try {
      const { runIds, names, maxPoints } = options;
      const variables = { runIds: [...runIds], names: [...names], maxPoints };
      const { metricHistory } = await request(MetricHistoryDocument, variables, abort.signal);
      series.clear();
      for (const columns of metricHistory)
        series.set(JSON.stringify([columns.runId, columns.name]), readSeries(columns));
      added = 0;
      clearTimeout(drawTimer);
      draw();
      return true;
    } catch (error) {
      if (!abort.signal.aborted) handlers.onError(error);
      return false;
    }
  };
  const follow = () =>
    subscribe(
      MetricsLoggedDocument,
      () => ({ runIds: [...options.runIds], names: [...options.names], after: cursors() }),
      {
        onData: ({ metricsLogged }) => {
          for (const columns of metricsLogged.series) merge(readSeries(columns));
          if (added > options.maxPoints * Math.max(1, series.size)) void read();
        },
        onError: handlers.onError,
      },
    );
  void read().then((done) => {
    if (done && options.live && !abort.signal.aborted) cleanUp = follow();
  });
  const stopWaiting = onReturn(() => void read());
  return () => {
    abort.abort();
    clearTimeout(drawTimer);
    stopWaiting();
    cleanUp();
  };
}

export interface MetricSeriesState {
  /** `null` until the first answer. */
  series: MetricSeries[] | null;
  error: unknown;
}

/** Brings the last values of runs that are shown as far as their series. */
function updateRuns(queryClient: QueryClient, series: readonly MetricSeries[]): void {
  queryClient.setQueriesData<RunDetail | null>({ queryKey: ['run'] }, (run) => {
    if (run == null) return run;
    const metrics = newerSummaries(
      run.metrics,
      series.filter(({ runId }) => runId === run.id),
    );
    return metrics === run.metrics ? run : { ...run, metrics: [...metrics] };
  });
}

/** Metric series of runs, current while `live`. Keeps showing the last series while others are being read. */
export function useMetricSeries({ runIds, names, maxPoints, live }: MetricFeedOptions): MetricSeriesState {
  const queryClient = useQueryClient();
  const [state, setState] = useState<MetricSeriesState>({ series: null, error: null });
  const key = JSON.stringify([runIds, names]);
  useEffect(() => {
    const [ids, wanted] = JSON.parse(key) as [string[], string[]];
    if (ids.length === 0 || wanted.length === 0) {
      setState({ series: [], error: null });
      return;
    }
    return startMetricFeed(
      { runIds: ids, names: wanted, maxPoints, live },
      {
        onSeries: (series) => {
          setState({ series, error: null });
          if (live) updateRuns(queryClient, series);
        },
        onError: (error) => setState((before) => ({ ...before, error })),
      },
    );
  }, [key, maxPoints, live, queryClient]);
  return state;
}
