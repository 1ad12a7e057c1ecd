import { lazy, Suspense, useMemo } from 'react';
import { useStore } from '#web/api/useStore.ts';
import type { Curve } from '#web/charts/curve.ts';
import { describeCurves } from '#web/charts/describeCurves.ts';
import { countValues, whyNothing } from '#web/charts/undrawable.ts';
import { Button } from '#web/components/Button.tsx';
import { useTheme } from '#web/components/useTheme.ts';
import { beyondText, countBeyond, plainRange } from '#web/lib/curves/plainRange.ts';
import { formatCount, formatDigits } from '#web/lib/formatNumber.ts';
import type { ChartSettings } from './ChartControls.tsx';
import { useInSight } from './useInSight.ts';
import * as z from 'zod/mini';
import { createStore } from '#web/lib/store.ts';
import './charts.css';

const KEY = 'warren.wholeAxes';
const MOST_KEPT = 100;
const namesSchema = z.array(z.string());

/** Metrics whose charts show all values, outliers too, as this browser's user chose. */
const wholeAxes = createStore<readonly string[]>(read());

/** Shows all values of a metric, or leaves outliers out again, from now on. */
function setWhole(metric: string, whole: boolean): void {
  const others = wholeAxes.get().filter((name) => name !== metric);
  const names = whole ? [...others, metric].slice(-MOST_KEPT) : others;
  wholeAxes.set(names);
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // a browser that keeps nothing has it until the page closes
  }
}

function read(): readonly string[] {
  try {
    const kept = namesSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    return kept.success ? kept.data : [];
  } catch {
    return [];
  }
}

const LineChart = lazy(async () => ({ default: (await import('#web/charts/LineChart.tsx')).LineChart }));

export interface ChartCardProps {
  title: string;
  /** Null until they are read. */
  curves: readonly Curve[] | null;
  settings: ChartSettings;
  /** What x is, where it is neither a step nor a time. */
  xTitle?: string;
}

/** One metric's chart under its name. The charting library comes with the first chart that is scrolled into sight. */
export function ChartCard({ title, curves, settings, xTitle }: ChartCardProps) {
  const theme = useTheme();
  const [holder, inSight] = useInSight<HTMLElement>();
  const isAll = useStore(wholeAxes).includes(title);
  const columns = useMemo(() => (curves ?? []).map(({ y, low, high }) => [y, low ?? [], high ?? []]), [curves]);
  const plain = useMemo(
    () => (settings.logarithmic ? null : plainRange(columns.map((lists) => lists.flat()))),
    [settings.logarithmic, columns],
  );
  const range = isAll ? null : plain;
  const scale = useMemo(
    () => ({ logarithmic: settings.logarithmic, x: settings.x, xTitle, range }),
    [settings.logarithmic, settings.x, xTitle, range],
  );
  const beyond = range === null ? null : beyondText(countBeyond(columns, range));
  const counts = useMemo(() => (curves === null ? null : countValues(curves.map(({ y }) => y))), [curves]);
  const nothing = counts === null ? null : whyNothing(counts, scale.logarithmic);
  const notFinite = counts === null ? 0 : counts.nan + counts.infinite + counts.negativeInfinite;
  const notPositive = counts === null || !scale.logarithmic ? 0 : counts.notPositive;
  const only = curves?.length === 1 ? curves[0] : undefined;
  return (
    <figure className="panel chart-card" ref={holder}>
      <figcaption className="chart-head">
        <h3 title={title}>{title}</h3>
        {only !== undefined && only.y.length > 0 && (
          <span title={String(only.y.at(-1))}>{formatDigits(only.y.at(-1)!)}</span>
        )}
      </figcaption>
      <div className="chart-body">
        {curves === null ? (
          <p className="empty">Loading …</p>
        ) : nothing !== null ? (
          <p className="empty danger-text">{nothing}</p>
        ) : (
          inSight && (
            <Suspense fallback={<p className="empty">Loading …</p>}>
              <LineChart
                curves={curves}
                scale={scale}
                theme={theme}
                label={describeCurves(title, curves) + (beyond === null ? '' : `. ${beyond}`)}
              />
            </Suspense>
          )
        )}
      </div>
      {nothing === null && plain !== null && (
        <p className="chart-outliers">
          {beyond ?? 'A few values make the axis long'}
          <Button look="quiet" onClick={() => setWhole(title, !isAll)}>
            {isAll ? 'Leave them out' : 'Show all'}
          </Button>
        </p>
      )}
      {nothing === null && notFinite + notPositive > 0 && (
        <p className="chart-note">
          {notFinite > 0 && `◆ ${formatCount(notFinite)} not finite. `}
          {notPositive > 0 && `${formatCount(notPositive)} not above zero, off the log scale.`}
        </p>
      )}
    </figure>
  );
}
