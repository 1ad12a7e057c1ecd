import { toNumber } from '#src/lib/metricValue.ts';
import type { Comparison } from '#web/api/useComparison.ts';
import type { MetricTests } from '#web/api/usePairedTests.ts';
import { Button } from '#web/components/Button.tsx';
import { comparedGroupLabels } from './comparedLabels.ts';

export interface BestMeanProps {
  comparison: Comparison;
  metric: MetricTests;
  /** Tests the others against the configuration of a run. */
  onBaseline(runId: string): void;
}

/** Which configuration has the best mean, where that is not the baseline, and whether it is so at one press. */
export function BestMean({ comparison, metric, onBaseline }: BestMeanProps) {
  const best = bestGroup(comparison, metric);
  if (best === null || best.group.configuration.hash === metric.baselineHash) return null;
  const [runId] = best.group.runIds;
  if (runId === undefined) return null;
  return (
    <p className="panel-body row compare-best-mean">
      <span>
        <strong>{comparedGroupLabels(comparison)[best.index]}</strong> has the best mean.
      </span>
      <Button onClick={() => onBaseline(runId)}>Test the others against it</Button>
    </p>
  );
}

function bestGroup({ groups }: Comparison, { name, direction }: MetricTests) {
  if (direction == null) return null;
  const sign = direction === 'lower' ? -1 : 1;
  let best: { index: number; group: Comparison['groups'][number]; mean: number } | null = null;
  for (const [index, group] of groups.entries()) {
    const found = group.metrics.find((metric) => metric.name === name);
    const mean = found === undefined ? Number.NaN : sign * toNumber(found.mean);
    if (!Number.isNaN(mean) && (best === null || mean > best.mean)) best = { index, group, mean };
  }
  return best;
}
