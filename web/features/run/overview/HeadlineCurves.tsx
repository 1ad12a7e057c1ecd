import { useMemo } from 'react';
import { useMetricSeries } from '#web/features/metrics/useMetricSeries.ts';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { isLive } from '#web/lib/runStates.ts';
import { ChartCard } from '#web/features/shared/ChartCard.tsx';
import { DEFAULT_SETTINGS } from '#web/features/shared/ChartControls.tsx';
import { curveOf } from '#web/features/shared/curveOf.ts';
import { counterNames } from '#web/lib/counters.ts';
import { pickHeadlines } from '#web/lib/pickHeadlines.ts';

const MAX_POINTS = 300;

export interface HeadlineCurvesProps {
  run: RunDetail;
  primary: string | null;
  most: number;
}

/** The courses that tell most, small; what only counts is not among them. */
export function HeadlineCurves({ run, primary, most }: HeadlineCurvesProps) {
  const counters = useMemo(() => counterNames(run.metrics), [run.metrics]);
  const courses = run.metrics.filter(({ name, pointCount }) => pointCount >= 2 && !counters.has(name));
  const picked = pickHeadlines(
    courses.map(({ name }) => name),
    primary,
    { most, perPart: 2 },
  );
  const key = JSON.stringify([picked, picked.map((name) => courses.find((one) => one.name === name)?.stepMetric)]);
  const { names, read } = useMemo(() => {
    const [wanted, axes] = JSON.parse(key) as [string[], (string | null | undefined)[]];
    return { names: wanted, read: [...new Set([...wanted, ...axes.flatMap((axis) => axis ?? [])])] };
  }, [key]);
  const runIds = useMemo(() => [run.id], [run.id]);
  const { series, error } = useMetricSeries({ runIds, names: read, maxPoints: MAX_POINTS, live: isLive(run.state) });
  const curves = useMemo(
    () =>
      names.map((name) => {
        const one = series?.find((found) => found.name === name);
        const axis = courses.find((course) => course.name === name)?.stepMetric;
        return one === undefined
          ? null
          : [
              curveOf(one, {
                ...{ label: name, style: seriesStyle(0), settings: DEFAULT_SETTINGS },
                axis: series?.find((found) => found.name === axis) ?? null,
              }),
            ];
      }),
    [names, series, courses],
  );
  // a run that was imported without its points will not have any
  const there = names.filter((_, index) => series === null || isLive(run.state) || curves[index] !== null);
  if (names.length === 0) return null;
  return (
    <section aria-label="Curves">
      {error !== null && <p className="danger-text">{error instanceof Error ? error.message : String(error)}</p>}
      {there.length === 0 && <p className="muted">The points of its curves are not here, only their last values.</p>}
      <div className="overview-curves">
        {there.map((name) => (
          <ChartCard key={name} title={name} curves={curves[names.indexOf(name)] ?? null} settings={DEFAULT_SETTINGS} />
        ))}
      </div>
    </section>
  );
}
