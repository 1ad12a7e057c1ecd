import type { CurveSet } from '#web/features/metrics/knownCurves.ts';
import type { PlotCurve, PlotRange } from '#web/charts/lines/plotCurve.ts';
import { DASHES } from '#web/charts/seriesStyle.ts';
import type { Panel } from '#src/base/contracts/workspace.ts';
import { alongAxis } from '#web/lib/curves/alongAxis.ts';
import { formulaSeries, readFormula } from '#web/lib/curves/formula.ts';
import { type CurvePoints, meanCurve } from '#web/lib/curves/meanCurve.ts';
import { smoothCurve } from '#web/lib/curves/smoothCurve.ts';
import type { MetricSeries } from '#web/lib/metricSeries.ts';
import type { FullSettings } from './curveSettings.ts';
import type { Subject } from './subjects.ts';

/** With more curves than this, the extremes of pieces of a long curve are left out. */
const FEW_CURVES = 3;

/**
 * The curves of a panel: for each metric one of each subject that has it, the mean of its runs where it has several.
 * @param sets The series of each of the metrics.
 * @param others Series that the axis needs.
 */
export function panelCurves(
  sets: readonly (CurveSet | null)[],
  others: CurveSet,
  { metrics, subjects, settings }: { metrics: readonly string[]; subjects: readonly Subject[]; settings: FullSettings },
): PlotCurve[] {
  const byRun = new Map<string, MetricSeries[]>();
  for (const one of others) byRun.set(one.runId, [...(byRun.get(one.runId) ?? []), one]);
  const isFew = subjects.length * metrics.length <= FEW_CURVES;
  return metrics.flatMap((metric, at) => {
    const found = new Map((sets[at] ?? []).map((series) => [series.runId, series]));
    return subjects.flatMap((subject): PlotCurve[] => {
      const members = subject.runs.flatMap(({ id }) => {
        const series = found.get(id);
        return series === undefined || series.steps.length === 0 ? [] : [series];
      });
      if (members.length === 0) return [];
      const placed = members.map((series) => ({
        series,
        ...alongAxis(series, settings.x, byRun.get(series.runId) ?? []),
      }));
      const points =
        subject.total === 1
          ? runPoints(placed[0]!, isFew && settings.band !== 'none')
          : meanCurve(placed, settings.band);
      if (points.x.length === 0) return [];
      return [
        {
          ...smoothed(points, settings),
          key: `${subject.id} ${metric}`,
          id: subject.id,
          label: metrics.length === 1 ? subject.label : `${metric} · ${subject.label}`,
          style: at === 0 ? subject.style : { ...subject.style, dash: DASHES[at % DASHES.length]! },
        },
      ];
    });
  });
}

/** What a panel draws of the sets of its metrics: these as they are, or the one set of its formula, of the runs that have all of them. */
export function formulaSets(
  { metrics, formula: text }: Pick<Panel, 'metrics' | 'formula'>,
  sets: readonly (CurveSet | null)[],
): readonly (CurveSet | null)[] {
  if (text === undefined) return sets;
  const formula = readFormula(text, metrics);
  const there = sets.filter((set) => set !== null);
  if (typeof formula === 'string' || there.length < sets.length) return [null];
  const [first = [], ...others] = formula.metrics.map((name) => there[metrics.indexOf(name)] ?? []);
  const byRun = others.map((set) => new Map(set.map((series) => [series.runId, series])));
  return [
    first.flatMap((series) => {
      const beside = byRun.flatMap((of) => of.get(series.runId) ?? []);
      return beside.length < byRun.length ? [] : [formulaSeries(formula, text, [series, ...beside])];
    }),
  ];
}

function runPoints(
  { series, x, y, kept }: { series: MetricSeries } & ReturnType<typeof alongAxis>,
  isBanded: boolean,
): CurvePoints {
  const column = (values: readonly number[] | null) =>
    values === null || !isBanded ? null : kept === null ? values : kept.map((index) => values[index]!);
  return { x, y, low: column(series.minimum), high: column(series.maximum), n: null };
}

function smoothed(points: CurvePoints, { smoothing, smoothness }: FullSettings): CurvePoints {
  if (smoothing === 'none') return points;
  const smooth = (values: readonly number[] | null) =>
    values === null ? null : smoothCurve(points.x, values, { kind: smoothing, amount: smoothness });
  return { ...points, y: smooth(points.y)!, low: smooth(points.low), high: smooth(points.high) };
}

/**
 * The steps that a part of the axis holds, over all series, with one more on each side; null where every point of it is there
 * already, or none is.
 */
export function stepsWithin(
  sets: readonly (CurveSet | null)[],
  others: CurveSet,
  { range, axis }: { range: PlotRange; axis: string },
): { fromStep: number; toStep: number } | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isCoarse = false;
  for (const series of sets.flatMap((set) => set ?? [])) {
    if (series.minimum === null) continue;
    const guides = others.filter(({ runId }) => runId === series.runId);
    const { x, kept } = alongAxis(series, axis, guides);
    for (const [index, place] of x.entries()) {
      if (place < range.low || place > range.high) continue;
      isCoarse = true;
      const at = kept === null ? index : kept[index]!;
      low = Math.min(low, series.steps[Math.max(0, at - 1)]!);
      high = Math.max(high, series.steps[Math.min(series.steps.length - 1, at + 1)]!);
    }
  }
  return isCoarse ? { fromStep: low, toStep: high } : null;
}

/** A set with the series that are there finer. */
export function withFiner(set: CurveSet | null, finer: readonly MetricSeries[]): CurveSet | null {
  if (set === null || finer.length === 0) return set;
  return set.map((series) => finer.find((one) => one.runId === series.runId && one.name === series.name) ?? series);
}
