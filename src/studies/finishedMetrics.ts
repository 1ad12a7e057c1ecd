import type { Connection } from '#src/base/database/connection.ts';
import { listSeries } from '#src/metrics/store/metricSeries.ts';
import type { ConfigurationRun } from '#src/studies/store/configurationRuns.ts';
import type { RunMetric } from '#src/studies/verdicts/armRuns.ts';

type RunMetrics = ReadonlyMap<string, RunMetric>;

/** Metrics that were read, by run and when it ended: they change only where a run is taken up again. */
const known = new Map<string, RunMetrics>();
const MOST_KNOWN = 5_000;

function keyOf({ id, endedAt }: ConfigurationRun): string {
  return `${id} ${endedAt?.getTime() ?? ''}`;
}

/** The metrics of runs that have ended well, by the run's id. Those that were read before are not read again. */
export async function finishedMetrics(
  connection: Connection,
  runs: readonly ConfigurationRun[],
): Promise<Map<string, RunMetrics>> {
  const finished = runs.filter(({ state }) => state === 'SUCCEEDED');
  const metricsOf = new Map<string, RunMetrics>();
  for (const run of finished) {
    const metrics = known.get(keyOf(run));
    if (metrics !== undefined) metricsOf.set(run.id, metrics);
  }
  const missing = finished.filter(({ id }) => !metricsOf.has(id));
  const read = new Map(missing.map(({ id }) => [id, new Map<string, RunMetric>()]));
  for (const { runId, name, lastValue, minimum, maximum } of await listSeries(connection, [...read.keys()])) {
    read.get(runId)?.set(name, { last: lastValue, lowest: minimum, highest: maximum });
  }
  for (const run of missing) {
    const metrics = read.get(run.id) ?? new Map<string, RunMetric>();
    metricsOf.set(run.id, metrics);
    known.set(keyOf(run), metrics);
  }
  while (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '');
  return metricsOf;
}
