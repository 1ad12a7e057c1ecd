import { lazy, Suspense, useMemo } from 'react';
import { type Curve, countUndrawable } from '#web/charts/curve.ts';
import { describeCurves } from '#web/charts/describeCurves.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import type { ChartSettings } from './ChartControls.tsx';
import { useInSight } from './useInSight.ts';
import './charts.css';

const LineChart = lazy(async () => ({ default: (await import('#web/charts/LineChart.tsx')).LineChart }));

export interface ChartCardProps {
  title: string;
  /** Null until they are read. */
  curves: readonly Curve[] | null;
  settings: ChartSettings;
}

/** One metric's chart under its name. The charting library comes with the first chart that is scrolled into sight. */
export function ChartCard({ title, curves, settings }: ChartCardProps) {
  const theme = useTheme();
  const [holder, inSight] = useInSight<HTMLElement>();
  const scale = useMemo(
    () => ({ logarithmic: settings.logarithmic, x: settings.x }),
    [settings.logarithmic, settings.x],
  );
  const missing = curves === null ? null : countUndrawable(curves, scale);
  const only = curves?.length === 1 ? curves[0] : undefined;
  return (
    <figure className="panel chart-card" ref={holder}>
      <figcaption className="chart-head">
        <h3 title={title}>{title}</h3>
        {only !== undefined && only.y.length > 0 && <span>{formatNumber(only.y.at(-1)!)}</span>}
      </figcaption>
      <div className="chart-body">
        {curves === null ? (
          <p className="empty">Loading …</p>
        ) : (
          inSight && (
            <Suspense fallback={<p className="empty">Loading …</p>}>
              <LineChart curves={curves} scale={scale} theme={theme} label={describeCurves(title, curves)} />
            </Suspense>
          )
        )}
      </div>
      {missing !== null && missing.notFinite + missing.notPositive > 0 && (
        <p className="chart-note">
          {missing.notFinite > 0 && `◆ ${missing.notFinite} not finite. `}
          {missing.notPositive > 0 && `${missing.notPositive} not above zero, off the log scale.`}
        </p>
      )}
    </figure>
  );
}
