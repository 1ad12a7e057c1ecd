import { useMemo, useState } from 'react';
import type { Comparison } from './useComparison.ts';
import { useMetricSeries } from '#web/features/metrics/useMetricSeries.ts';
import { usePrimaryMetrics } from '#web/features/metrics/usePrimaryMetrics.ts';
import { Button } from '#web/components/Button.tsx';
import { FoldedList } from '#web/components/FoldedList.tsx';
import { counterNames } from '#web/lib/counters.ts';
import { metricOrder } from '#web/lib/metricOrder.ts';
import { pickHeadlines } from '#web/lib/pickHeadlines.ts';
import { isLive } from '#web/lib/runStates.ts';
import { ChartCard } from '../shared/ChartCard.tsx';
import { ChartControls, type ChartSettings, DEFAULT_SETTINGS } from '../shared/ChartControls.tsx';
import { LineKey } from '../shared/LineKey.tsx';
import { comparedCurves, comparedSubjects } from './comparedCurvesOf.ts';

export interface ComparedCurvesProps {
  comparison: Comparison;
  /** Mean and deviation of replicates instead of each run. */
  grouped: boolean;
  onGrouped(grouped: boolean): void;
}

const FIRST_CHARTS = 4;
/** Points a curve, fewer where many runs are drawn at once. */
const MAX_POINTS = 500;

/** One chart per metric, the runs' curves over each other. */
export function ComparedCurves({ comparison, grouped, onGrouped }: ComparedCurvesProps) {
  const [settings, setSettings] = useState<ChartSettings>(DEFAULT_SETTINGS);
  const [more, setMore] = useState(0);
  const [system, setSystem] = useState(false);
  const { runs } = comparison;
  const primary = usePrimaryMetrics(runs);
  const { available, telling } = useMemo(() => curveNames(comparison, primary, system), [comparison, primary, system]);
  const shown = Math.min(FIRST_CHARTS, telling) + more;
  const hasSystem = comparison.metrics.some((metric) => metric.name.startsWith('system/'));
  const namesKey = JSON.stringify(available.slice(0, shown));
  const names = useMemo(() => JSON.parse(namesKey) as string[], [namesKey]);
  const runIds = useMemo(() => runs.map((run) => run.id), [runs]);
  const live = runs.some((run) => isLive(run.state));
  const { series, error } = useMetricSeries({ runIds, names, maxPoints: MAX_POINTS, live });
  const hasReplicates = comparison.groups.some((group) => group.runIds.length > 1);

  if (available.length === 0 && !hasSystem) return null;
  return (
    <section className="stack" aria-labelledby="curves-title">
      <div className="row compare-tools">
        <h2 id="curves-title">Curves</h2>
        <ChartControls settings={settings} onChange={setSettings} />
        {hasReplicates && (
          <label className="check">
            <input type="checkbox" checked={grouped} onChange={(event) => onGrouped(event.target.checked)} />
            Replicates as mean ± deviation
          </label>
        )}
        {hasSystem && (
          <label className="check">
            <input type="checkbox" checked={system} onChange={(event) => setSystem(event.target.checked)} />
            System metrics
          </label>
        )}
      </div>
      {error !== null && <p className="danger-text">{error instanceof Error ? error.message : String(error)}</p>}
      {runs.length > 1 && <CurvesLegend {...{ comparison, grouped }} />}
      {available.length === 0 && <p className="muted">No metric has more than one point.</p>}
      <div className="chart-grid compare-grid">
        {names.map((name) => (
          <ComparedChart key={name} name={name} {...{ comparison, series, settings, grouped }} />
        ))}
      </div>
      {available.length > shown && (
        <Button onClick={() => setMore(more + FIRST_CHARTS)}>Show more charts ({available.length - shown} left)</Button>
      )}
    </section>
  );
}

/** Which color is whose, once for all charts. */
function CurvesLegend({ comparison, grouped }: { comparison: Comparison; grouped: boolean }) {
  const curves = useMemo(() => comparedSubjects(comparison, grouped), [comparison, grouped]);
  return (
    <FoldedList items={curves} label="Legend of the curves" className="chart-legend" most={12} mostNarrow={6}>
      {({ id, label, style }) => (
        <li key={id}>
          <LineKey style={style} />
          <span title={label}>{label}</span>
        </li>
      )}
    </FoldedList>
  );
}

interface ComparedChartProps {
  name: string;
  comparison: Comparison;
  series: Parameters<typeof comparedCurves>[0] | null;
  settings: ChartSettings;
  grouped: boolean;
}

function ComparedChart({ name, comparison, series, settings, grouped }: ComparedChartProps) {
  const curves = useMemo(
    () => (series === null ? null : comparedCurves(series, { name, comparison, settings, grouped })),
    [series, name, comparison, settings, grouped],
  );
  return <ChartCard title={name} curves={curves} settings={settings} />;
}

/** Of one part (`valid`, `train`) before those of other parts. */
const PER_PART = 2;

/**
 * Metrics that have a course in some run: those that most runs have first, and of these what tells most, a few of each part;
 * `telling` is how many there are before those that only count, which are the last.
 */
function curveNames(
  comparison: Comparison,
  primary: ReadonlySet<string>,
  system: boolean,
): { available: string[]; telling: number } {
  const wanted = new Set(comparison.metrics.map((metric) => metric.name));
  const counts = new Map<string, number>();
  const counting = new Set<string>();
  for (const run of comparison.runs) {
    const courses = run.metrics.filter(
      ({ name, pointCount }) => pointCount >= 2 && wanted.has(name) && (system || !name.startsWith('system/')),
    );
    for (const { name } of courses) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const name of counterNames(courses)) counting.add(name);
  }
  const inOrder = metricOrder(wanted, primary);
  const names = [...counts].sort((a, b) => b[1] - a[1] || inOrder(a[0], b[0])).map(([name]) => name);
  const telling = names.filter((name) => !counting.has(name));
  const most = Math.max(0, ...telling.map((name) => counts.get(name) ?? 0));
  const ofMost = telling.filter((name) => counts.get(name) === most);
  const judged = telling.find((name) => primary.has(name)) ?? null;
  const first = pickHeadlines(ofMost, judged, { most: ofMost.length, perPart: PER_PART });
  return { available: [...new Set([...first, ...telling, ...names])], telling: telling.length };
}
