import { useDeferredValue, useMemo, useState } from 'react';
import { usePrimaryMetric } from '#web/features/metrics/usePrimaryMetrics.ts';
import type { RunDetail } from './useRun.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { isLive } from '#web/lib/runStates.ts';
import { ChartControls, type ChartSettings, DEFAULT_SETTINGS } from '../shared/ChartControls.tsx';
import { FinalValues } from './FinalValues.tsx';
import { MetricGroupCharts } from './MetricGroupCharts.tsx';
import { groupMetrics } from './metricGroups.ts';

/** Final values of all metrics, and the course of those that have one. */
export function MetricsPanel({ run }: { run: RunDetail }) {
  const [settings, setSettings] = useState<ChartSettings>(DEFAULT_SETTINGS);
  const [wanted, setWanted] = useState('');
  const words = useDeferredValue(wanted).toLowerCase();
  const metrics = useMemo(
    () => run.metrics.filter((metric) => metric.name.toLowerCase().includes(words)),
    [run.metrics, words],
  );
  const primary = usePrimaryMetric(run.configuration.kind);
  const groups = useMemo(() => groupMetrics(metrics, primary), [metrics, primary]);

  if (
    run.metrics.every(({ pointCount }) => pointCount < 2) &&
    run.metrics.every((metric) => metric.name.startsWith('system/'))
  ) {
    return (
      <EmptyState title="No metrics">
        <p>{isLive(run.state) ? 'They appear here as soon as the run reports them.' : 'The run reported none.'}</p>
      </EmptyState>
    );
  }
  return (
    <div className="metrics-panel">
      <div className="row metrics-tools">
        <input
          className="input"
          type="search"
          aria-label="Find metrics"
          placeholder="Find metrics"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        {groups.length > 0 && <ChartControls settings={settings} onChange={setSettings} />}
      </div>
      <FinalValues {...{ metrics, primary }} />
      {groups.map((group) => (
        <MetricGroupCharts
          key={group.prefix}
          runId={run.id}
          group={group}
          live={isLive(run.state)}
          settings={settings}
        />
      ))}
    </div>
  );
}
