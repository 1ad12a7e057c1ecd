import { useEffect, useState } from 'react';
import type { MetricSeries } from '../lib/metricSeries.ts';
import { type MetricFeedOptions, startMetricFeed } from './metricFeed.ts';

export interface MetricSeriesState {
  /** `null` until the first answer. */
  series: MetricSeries[] | null;
  error: unknown;
}

/** Metric series of runs, current while `live`. Keeps showing the last series while others are being read. */
export function useMetricSeries({ runIds, names, maxPoints, live }: MetricFeedOptions): MetricSeriesState {
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
        onSeries: (series) => setState({ series, error: null }),
        onError: (error) => setState((before) => ({ ...before, error })),
      },
    );
  }, [key, maxPoints, live]);
  return state;
}
