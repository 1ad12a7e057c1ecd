import { useMemo, useState } from 'react';
import { useMetricSeries } from '#web/features/metrics/useMetricSeries.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { Button } from '#web/components/Button.tsx';
import type { MetricSeries } from '#web/lib/metricSeries.ts';
import type { ChartSettings } from '../shared/ChartControls.tsx';
import { ChartCard } from '../shared/ChartCard.tsx';
import { curveOf } from '../shared/curveOf.ts';
import type { MetricGroup } from './metricGroups.ts';

export interface MetricGroupChartsProps {
  runId: string;
  group: MetricGroup;
  live: boolean;
  settings: ChartSettings;
}

/** Charts drawn at first; the button brings as many more. */
const FIRST_CHARTS = 12;
const MAX_POINTS = 500;

/** The charts of metrics with one prefix; read and drawn only while open. */
export function MetricGroupCharts(props: MetricGroupChartsProps) {
  const [open, setOpen] = useState(props.group.isOpen);
  const { prefix, curves } = props.group;
  return (
    <details className="metrics-group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{prefix === '' ? 'Curves' : prefix}</h2>
        <span className="muted">{curves.length === 1 ? '1 chart' : `${curves.length} charts`}</span>
      </summary>
      {open && <Charts {...props} />}
    </details>
  );
}

function Charts({ runId, group, live, settings }: MetricGroupChartsProps) {
  const [shown, setShown] = useState(FIRST_CHARTS);
  const runIds = useMemo(() => [runId], [runId]);
  const names = useMemo(() => group.curves.slice(0, shown).map((metric) => metric.name), [group.curves, shown]);
  const read = useMemo(
    () => [...new Set([...names, ...group.curves.slice(0, shown).flatMap(({ stepMetric }) => stepMetric ?? [])])],
    [names, group.curves, shown],
  );
  const { series, error } = useMetricSeries({ runIds, names: read, maxPoints: MAX_POINTS, live });
  return (
    <>
      {error !== null && <p className="danger-text">{error instanceof Error ? error.message : String(error)}</p>}
      <div className="chart-grid">
        {group.curves.slice(0, shown).map(({ name, stepMetric }) => (
          <MetricChart
            key={name}
            name={name}
            series={series?.find((one) => one.name === name)}
            axis={series?.find((one) => one.name === stepMetric) ?? null}
            settings={settings}
          />
        ))}
      </div>
      {group.curves.length > shown && (
        <Button onClick={() => setShown(shown + FIRST_CHARTS)}>
          Show more charts ({group.curves.length - shown} left)
        </Button>
      )}
    </>
  );
}

interface MetricChartProps {
  name: string;
  series: MetricSeries | undefined;
  axis: MetricSeries | null;
  settings: ChartSettings;
}

function MetricChart({ name, series, axis, settings }: MetricChartProps) {
  const curves = useMemo(
    () => (series === undefined ? null : [curveOf(series, { label: name, style: seriesStyle(0), settings, axis })]),
    [series, axis, name, settings],
  );
  return <ChartCard title={name} curves={curves} settings={settings} />;
}
