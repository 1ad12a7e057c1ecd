import type { Comparison } from './useComparison.ts';
import type { MetricTests } from './usePairedTests.ts';
import { Button } from '#web/components/Button.tsx';
import { bestGroup } from './bestGroup.ts';
import { comparedGroupLabels } from './comparedLabels.ts';

export interface BestMeanProps {
  comparison: Comparison;
  metric: MetricTests;
  /** Tests the others against the configuration of a run. */
  onBaseline(runId: string): void;
}

/** Which configuration has the best mean, where that is not the baseline, and whether it is so at one press. */
export function BestMean({ comparison, metric, onBaseline }: BestMeanProps) {
  const index = bestGroup(comparison, metric);
  const best = index === null ? undefined : comparison.groups[index];
  const runId = best?.runIds[0];
  if (index === null || runId === undefined || best?.configuration.hash === metric.baselineHash) return null;
  return (
    <p className="panel-body row compare-best-mean">
      <span>
        <strong>{comparedGroupLabels(comparison)[index]}</strong> has the best mean.
      </span>
      <Button onClick={() => onBaseline(runId)}>Test the others against it</Button>
    </p>
  );
}
