import type { RunRow } from '#web/api/useRuns.ts';
import { formatMeanDeviation } from '#web/lib/formatMeanDeviation.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { metricOfColumn } from '#web/lib/runColumn.ts';

/** A metric over the replicates that are loaded: mean ± standard deviation. */
export function ReplicateCell({ runs, column }: { runs: readonly RunRow[]; column: string }) {
  const metric = metricOfColumn(column);
  if (metric === null) return null;
  const values = runs.flatMap((run) =>
    run.metrics.filter((summary) => summary.name === metric).map((summary) => summaryValue(summary)),
  );
  if (values.length === 0) return <span className="muted">–</span>;
  const statistics = summarizeReplicates(values);
  const { mean, deviation } = formatMeanDeviation(statistics.mean, statistics.standardDeviation);
  return (
    <span title={`mean and sample standard deviation of ${statistics.n} runs`}>
      <strong>{mean}</strong>
      {deviation !== null && ` ± ${deviation}`}
    </span>
  );
}
