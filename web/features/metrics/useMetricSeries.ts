import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { MetricSeries } from '#web/lib/metricSeries.ts';
import { newerSummaries } from '#web/lib/newerSummaries.ts';
import { type MetricFeedOptions, startMetricFeed } from './metricFeed.ts';
import type { RunDetail } from '../run/useRun.ts';

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
