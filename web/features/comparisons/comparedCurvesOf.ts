import type { Comparison } from './useComparison.ts';
import type { Curve } from '#web/charts/curve.ts';
import { type SeriesStyle, seriesStyle } from '#web/charts/seriesStyle.ts';
import type { MetricSeries } from '#web/lib/metricSeries.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import type { ChartSettings } from '../shared/ChartControls.tsx';
import { curveOf } from '../shared/curveOf.ts';
import { runLabels } from '../shared/runLabels.ts';
import { comparedGroupLabels } from './comparedLabels.ts';

export interface ComparedCurvesOptions {
  name: string;
  comparison: Comparison;
  settings: ChartSettings;
  grouped: boolean;
}

/** What has a curve in each chart. */
export interface ComparedSubject {
  id: string;
  label: string;
  style: SeriesStyle;
  runIds: readonly string[];
}

/** The runs, or their configurations, with the names and colors of their curves. */
export function comparedSubjects(comparison: Comparison, grouped: boolean): ComparedSubject[] {
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
export function comparedCurves(series: readonly MetricSeries[], options: ComparedCurvesOptions): Curve[] {
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
