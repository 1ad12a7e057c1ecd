import type { MetricSummary, RunRow } from './useRuns.ts';
import { configurationValue, metricOfColumn, pathOfColumn } from '#web/lib/runColumn.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';

/** The metrics that came with runs, by name. */
const metricsOfRuns = new WeakMap<RunRow, ReadonlyMap<string, MetricSummary>>();

/** The summary of a metric, from what came with the run or later; undefined where it has none, or none has come yet. */
export function summaryOf(
  run: RunRow,
  metric: string,
  later: ReadonlyMap<string, MetricSummary> | undefined,
): MetricSummary | undefined {
  return later?.get(metric) ?? metricsOf(run).get(metric);
}

/** The number that a cell shows; null where it shows none. */
export function cellNumber(run: RunRow, column: string, later?: ReadonlyMap<string, MetricSummary>): number | null {
  const metric = metricOfColumn(column);
  if (metric !== null) {
    const summary = summaryOf(run, metric, later);
    return summary === undefined ? null : summaryValue(summary);
  }
  const path = pathOfColumn(column);
  if (path !== null) {
    const value = configurationValue(run.configuration, path);
    return typeof value === 'number' ? value : null;
  }
  if (column === 'seed') return run.seed;
  if (column === 'priority') return run.priority;
  if (column === 'attempt') return run.attempt;
  if (column !== 'duration' || run.startedAt === null || run.endedAt === null) return null;
  return Date.parse(run.endedAt) - Date.parse(run.startedAt);
}

function metricsOf(run: RunRow): ReadonlyMap<string, MetricSummary> {
  let metrics = metricsOfRuns.get(run);
  if (metrics === undefined) {
    metrics = new Map(run.metrics.map((summary) => [summary.name, summary]));
    metricsOfRuns.set(run, metrics);
  }
  return metrics;
}

/** Runs by whose first values a column's side is chosen. */
const LOOKED_AT = 100;

/** Whether a column of parameters holds numbers alone, as far as the first runs tell: numbers stand at the right edge. */
export function holdsNumbers(runs: readonly RunRow[], column: string): boolean {
  const path = pathOfColumn(column);
  if (path === null) return false;
  let found = false;
  for (const run of runs.slice(0, LOOKED_AT)) {
    const value = configurationValue(run.configuration, path);
    if (value == null) continue;
    if (typeof value !== 'number') return false;
    found = true;
  }
  return found;
}
