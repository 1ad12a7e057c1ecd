import type { StudyPanel, StudySeries } from './useStudies.ts';
import type { Curve } from '#web/charts/curve.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';

/** The lines of a panel with a band of one deviation; what is printed is dashed, in the color of its line. */
export function panelCurves({ series, x: axis }: Pick<StudyPanel, 'series' | 'x'>): Curve[] {
  return series.flatMap((one, index) => {
    const style = seriesStyle(index);
    const measured = pointsOf(one, one.means, axis);
    const printed = pointsOf(one, one.printed, axis);
    const curves: Curve[] = [];
    if (measured.x.length > 0) {
      const spread = measured.at.map((at) => toNumber(one.standardDeviations[at] ?? 0));
      const hasBand = spread.some((value) => value > 0);
      curves.push({
        id: `${index} measured`,
        label: one.shortened ? `${one.label} (shortened)` : one.label,
        style,
        x: measured.x,
        y: measured.y,
        low: hasBand ? measured.y.map((value, at) => value - spread[at]!) : null,
        high: hasBand ? measured.y.map((value, at) => value + spread[at]!) : null,
      });
    }
    if (printed.x.length > 0) {
      const dashed = { ...style, dash: [4, 4] };
      const { x, y } = printed;
      curves.push({
        id: `${index} printed`,
        label: `${one.label}, printed`,
        style: dashed,
        x,
        y,
        low: null,
        high: null,
      });
    }
    return curves;
  });
}

/** Points with a number on both axes, by x; by its logarithm to base 10 on a logarithmic axis. */
function pointsOf(
  { x }: StudySeries,
  values: StudySeries['means'],
  { logarithmic }: StudyPanel['x'],
): { x: number[]; y: number[]; at: number[] } {
  const points = x.flatMap((text, at) => {
    const value = values[at] ?? null;
    const place = logarithmic ? Math.log10(Number(text)) : Number(text);
    return value === null || !Number.isFinite(place) ? [] : [{ x: place, y: toNumber(value), at }];
  });
  points.sort((a, b) => a.x - b.x);
  return { x: points.map((one) => one.x), y: points.map((one) => one.y), at: points.map((one) => one.at) };
}
