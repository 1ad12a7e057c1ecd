import { MetricsLoggedDocument } from '#web/generated/graphql.ts';
import { type MetricSeries, readSeries } from '#web/lib/metricSeries.ts';
import { subscribe } from '#web/api/subscribe.ts';

export interface LiveCurves {
  /** Follows these metrics of these runs from now on, and no others. */
  follow(runIds: readonly string[], names: readonly string[]): void;
  stop(): void;
}

/** New points of live runs, by one subscription that changes with what is followed. */
export function liveCurves(options: {
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
