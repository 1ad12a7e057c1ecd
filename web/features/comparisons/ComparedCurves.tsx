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
import type { Curve } from '#web/charts/curve.ts';
import { type SeriesStyle, seriesStyle } from '#web/charts/seriesStyle.ts';
import type { MetricSeries } from '#web/lib/metricSeries.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { curveOf } from '../shared/curveOf.ts';
import { runLabels } from '../shared/runLabels.ts';
import { comparedGroupLabels } from './comparedLabels.ts';

interface ComparedCurvesOptions {
  name: string;
  comparison: Comparison;
  settings: ChartSettings;
  grouped: boolean;
}

/** What has a curve in each chart. */
interface ComparedSubject {
  id: string;
  label: string;
  style: SeriesStyle;
  runIds: readonly string[];
}

/** The runs, or their configurations, with the names and colors of their curves. */
function comparedSubjects(comparison: Comparison, grouped: boolean): ComparedSubject[] {
  const { runs, groups } = comparison;
  if (!grouped) {
    const labels = runLabels(runs);
    return runs.map(({ id }, index) => ({ id, label: labels[index]!, style: seriesStyle(index), runIds: [id] }));
  }
  const labels = comparedGroupLabels(comparison);
  return groups.map(({ configuration, runIds, seeds }, index) => ({
    id: configuration.hash,
    label: `${labels[index]!}, seeds ${formatSeedList(seeds)}`,
    style: seriesStyle(runs.findIndex((run) => runIds.includes(run.id))),
    runIds,
  }));
}

/** The curves of one metric: one per run, or one per configuration with its replicates' mean ± deviation. */
function comparedCurves(series: readonly MetricSeries[], options: ComparedCurvesOptions): Curve[] {
  const { name, comparison, settings, grouped } = options;
  const ofMetric = series.filter((one) => one.name === name && one.steps.length > 0);
  return comparedSubjects(comparison, grouped).flatMap(({ id, label, style, runIds }) => {
    const members = ofMetric.filter((one) => runIds.includes(one.runId));
    const [found] = members;
    if (found === undefined) return [];
    if (grouped) return [meanCurve(members, settings, { id: `${id} ${name}`, label, style })];
    const curve = curveOf(found, { label, style, settings });
    // Many bands over each other tell nothing.
    return [comparison.runs.length > 3 ? { ...curve, low: null, high: null } : curve];
  });
}

/** Mean ± sample standard deviation at the steps that every replicate has, so that n is the same all along. */
function meanCurve(
  members: readonly MetricSeries[],
  settings: ChartSettings,
  look: Pick<Curve, 'id' | 'label' | 'style'>,
): Curve {
  const curves = members.map((one) =>
    curveOf(one, { label: '', style: look.style, settings: { ...settings, x: 'step' } }),
  );
  const byStep = new Map<number, number[]>();
  for (const curve of curves) {
    curve.x.forEach((step, i) => {
      const values = byStep.get(step);
      if (values === undefined) byStep.set(step, [curve.y[i]!]);
      else values.push(curve.y[i]!);
    });
  }
  const rows = [...byStep]
    .filter(([, values]) => values.length === members.length)
    .sort((a, b) => a[0] - b[0])
    .map(([step, values]) => ({ step, ...summarizeReplicates(values) }));
  const seconds = settings.x === 'seconds' ? meanSeconds(members) : null;
  return {
    ...look,
    x: rows.map(({ step }) => seconds?.get(step) ?? step),
    y: rows.map(({ mean }) => mean),
    low: rows.map(({ mean, standardDeviation }) => mean - (standardDeviation ?? 0)),
    high: rows.map(({ mean, standardDeviation }) => mean + (standardDeviation ?? 0)),
  };
}

/** For each step the mean over the replicates of the seconds since their first point. */
function meanSeconds(members: readonly MetricSeries[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { steps, times } of members) {
    steps.forEach((step, i) => {
      sums.set(step, (sums.get(step) ?? 0) + (times[i]! - times[0]!) / 1000 / members.length);
    });
  }
  return sums;
}

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
