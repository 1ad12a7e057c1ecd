import DataLoader from 'dataloader';
import type { Database } from '#src/base/platform/postgres/database.ts';
import { declaredMetric } from '#src/catalog/metricDirection.ts';
import type { MetricInfo } from '#src/catalog/rankingMetrics.ts';
import { type MetricColumns, metricHistory } from '#src/metrics/metricHistory.ts';
import { bytesOfSeries, measureSeries, mostBytesOfSeries } from '#src/base/database/measureRows.ts';
import {
  listMetricDefinitions,
  meansOfSeries,
  type SeriesName,
  type MetricDefinitionRecord,
} from '#src/metrics/store/metricDefinition.ts';
import { listSeriesColumns, listSeriesNames, type SeriesColumns } from '#src/metrics/store/metricSeries.ts';
import { type AnswerBudget, historyBytes } from '#src/base/graphql/answerBudget.ts';
import { byRun, groupLoader, groupLoaderWith } from '#src/base/graphql/groupLoader.ts';

/** Which points of the metrics of a run are asked for. */
export interface HistoryRange {
  /** All when null. */
  names: readonly string[] | null;
  maxPoints: number;
}

/** As `Loaders`, for the metrics of runs. */
export interface MetricLoaders {
  /** What the program of a run said of its metrics. */
  metricDefinitions: DataLoader<string, MetricDefinitionRecord[]>;
  /** What is declared of a metric, looked up once for all runs that have it. */
  declaredMetric(name: string): MetricInfo | null;
  /** The mean of a series; undefined where it has no finite value. */
  seriesMean: DataLoader<SeriesName, number | undefined, string>;
  /** The series of a run: all, or those of these names; one element, or none where it has no series. */
  series: { load(runId: string, names: readonly string[] | null): Promise<SeriesColumns[]> };
  /** Names of the series of a run, as far as they are looked through for the one that tells most. */
  seriesNames: DataLoader<string, readonly string[]>;
  /** The points of a run in columns. */
  history: { load(runId: string, range: HistoryRange): Promise<MetricColumns[]> };
}

export function createMetricLoaders(db: Database, budget: AnswerBudget): MetricLoaders {
  const declared = new Map<string, MetricInfo | null>();
  return {
    metricDefinitions: groupLoader(byRun, (ids) => listMetricDefinitions(db, ids)),
    declaredMetric(name) {
      const known = declared.get(name);
      if (known !== undefined) return known;
      const found = declaredMetric(name);
      declared.set(name, found);
      return found;
    },
    seriesMean: new DataLoader((series) => meansOfSeries(db, series), {
      cacheKeyFn: ({ runId, name }) => `${runId} ${name}`,
    }),
    series: groupLoaderWith(byRun, (ids, names: readonly string[] | null) =>
      budget.readWithin(async (left) => {
        // a few metrics of a page always fit: they need no measuring
        const bytes = mostBytesOfSeries(ids.length, names) <= left ? 0 : await measureSeries(db, ids, names);
        if (bytes > left) return { result: [], bytes };
        const result = await listSeriesColumns(db, ids, names);
        return { result, bytes: result.reduce((sum, columns) => sum + bytesOfSeries(columns.names), 0) };
      }),
    ),
    seriesNames: new DataLoader(async (ids) => {
      const names = await listSeriesNames(db, ids);
      return ids.map((id) => names.get(id) ?? []);
    }),
    history: groupLoaderWith(byRun, (runIds, range: HistoryRange) =>
      budget.read(async () => {
        const series = await metricHistory({ db }, { runIds, ...range });
        return { result: series, bytes: historyBytes(series) };
      }),
    ),
  };
}
