import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { Panel } from '#src/base/contracts/workspace.ts';
import { csvLine } from '#src/base/lib/csvLine.ts';
import { readChartColors } from '#web/charts/chartColors.ts';
import { drawLines } from '#web/charts/lines/drawLines.ts';
import { LinePlot } from '#web/charts/lines/LinePlot.tsx';
import { lineScale } from '#web/charts/lines/lineScale.ts';
import type { PlotCurve, PlotRange } from '#web/charts/lines/plotCurve.ts';
import { countValues, whyNothing } from '#web/charts/undrawable.ts';
import { Button } from '#web/components/Button.tsx';
import { useTheme } from '#web/components/useTheme.ts';
import { axisTitle } from '#web/lib/curves/alongAxis.ts';
import { beyondText } from '#web/lib/curves/plainRange.ts';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import { fullSettings, withSetting, metricsOfAxis } from './curveSettings.ts';
import { type PanelPicture, usePanelShared } from './panelContext.ts';
import { panelTitle } from './panelTitle.ts';
import { withPanel } from './sections.ts';
import type { CurveSet } from '#web/features/metrics/knownCurves.ts';
import { useCurveSets, useFinerCurves } from '#web/features/metrics/useCurves.ts';
import { formulaSets, panelCurves, stepsWithin, withFiner } from './panelCurves.ts';
import { hasLive, type Subject } from './subjects.ts';

interface LineCurvesOptions {
  settings: ReturnType<typeof fullSettings>;
  inSight: boolean;
  /** Which part of the axis is looked at; null: all of it. */
  zoom: PlotRange | null;
}

/** The curves of a panel, read in more points where a part of them is looked at, and how many of its values cannot be drawn. */
function useLineCurves(panel: Panel, { settings, inSight, zoom }: LineCurvesOptions) {
  const { store, subjects } = usePanelShared();
  const { metrics } = panel;
  const guides = useMemo(
    () => metricsOfAxis(settings.x).filter((name) => !metrics.includes(name)),
    [settings.x, metrics],
  );
  const names = useMemo(() => [...metrics, ...guides], [metrics, guides]);
  const sets = useCurveSets(store, names, inSight);
  const others = useMemo(() => sets.flatMap((set) => set ?? []), [sets]);
  const steps = useMemo(
    () =>
      zoom === null ? null : stepsWithin(sets.slice(0, metrics.length), others, { range: zoom, axis: settings.x }),
    [zoom, sets, others, metrics, settings.x],
  );
  const finer = useFinerCurves(
    // of runs under way the last steps change all the time: what is there is fine enough
    steps === null || subjects.some(hasLive)
      ? null
      : { runIds: subjects.flatMap(({ runs }) => runs.map(({ id }) => id)), names, ...steps },
  );
  const fine = finer.data;
  const drawn = useMemo(
    () =>
      formulaSets(
        panel,
        sets.slice(0, metrics.length).map((set) => withFiner(set, fine ?? [])),
      ),
    [sets, fine, metrics, panel],
  );
  const curves = useMemo(
    () =>
      panelCurves(
        drawn,
        (withFiner(others, fine ?? []) ?? others).filter(({ name }) => guides.includes(name) || metrics.includes(name)),
        { metrics: panel.formula === undefined ? metrics : [panel.formula], subjects, settings },
      ),
    [drawn, others, fine, metrics, guides, subjects, settings, panel],
  );
  const counts = useMemo(() => countValues(valuesOf(drawn, subjects)), [drawn, subjects]);
  return { curves, counts, isRead: sets.slice(0, metrics.length).some((set) => set !== null) };
}

/** All values that the subjects have, of which a curve may be the mean, or a smoothed one. */
function valuesOf(sets: readonly (CurveSet | null)[], subjects: readonly Subject[]): (readonly number[])[] {
  const shown = new Set(subjects.flatMap(({ runs }) => runs.map(({ id }) => id)));
  return sets.flatMap((set) => (set ?? []).flatMap(({ runId, values }) => (shown.has(runId) ? [values] : [])));
}

export interface PanelBodyProps {
  panel: Panel;
  inSight: boolean;
  /** Told what to draw for a picture or a file. */
  picture: RefObject<PanelPicture | null>;
}

/** Curves of one or several metrics over steps, times or another metric. */
export function LinePanel({ panel, inSight, picture }: PanelBodyProps) {
  const { workspace, lit, cursor, onOpen } = usePanelShared();
  const theme = useTheme();
  const [zoom, setZoom] = useState<PlotRange | null>(null);
  const settings = useMemo(
    () => fullSettings(workspace.settings, panel.settings),
    [workspace.settings, panel.settings],
  );
  const { curves, counts, isRead } = useLineCurves(panel, { settings, inSight, zoom });
  const isTime = settings.x === 'time';
  const scale = useMemo(
    () => lineScale(curves, { ...settings, zoom, isTime, isDuration: settings.x === 'relative' }),
    [curves, settings, zoom, isTime],
  );
  const title = panelTitle(panel);
  const beyond = beyondText(scale.beyond);
  useEffect(() => {
    picture.current = {
      draw: (area, shown = theme) =>
        drawLines(area, {
          ...{ curves, scale, colors: readChartColors(shown), lit: null, xTitle: axisTitle(settings.x), note: beyond },
        }),
      csv: () => curvesCsv(curves, settings.x),
      legend: curves.map(({ label, style }) => ({ label, style })),
    };
  }, [picture, curves, scale, theme, settings.x, beyond]);

  if (!inSight || !isRead) return <div className="panel-waiting" />;
  const nothing = whyNothing(counts, settings.logY);
  if (nothing !== null) return <p className="panel-empty danger-text">{nothing}</p>;
  if (curves.length === 0) return <p className="panel-empty muted">None of the runs shown has points of it.</p>;
  return (
    <>
      <LinePlot
        {...{ curves, scale, lit, cursor, theme }}
        axis={settings.x}
        axisTitle={axisTitle(settings.x)}
        label={describe(title, curves) + (beyond === null ? '' : `. ${beyond}`)}
        onZoom={setZoom}
        onPick={onOpen}
      />
      <LineNotes
        {...{ panel, counts, scale }}
        isLogarithmic={settings.logY}
        onWhole={zoom === null ? null : () => setZoom(null)}
      />
    </>
  );
}

interface LineNotesProps {
  panel: Panel;
  counts: ReturnType<typeof countValues>;
  scale: ReturnType<typeof lineScale>;
  isLogarithmic: boolean;
  /** Looks at all of the axis again; null where all is shown. */
  onWhole: (() => void) | null;
}

/** What the chart does not show, and what shows it. */
function LineNotes({ panel, counts, scale, isLogarithmic, onWhole }: LineNotesProps) {
  const { workspace, onWorkspace } = usePanelShared();
  const beyond = beyondText(scale.beyond);
  const below = isLogarithmic ? counts.notPositive : 0;
  const notFinite = counts.nan + counts.infinite + counts.negativeInfinite;
  const onOutliers = (ignored: boolean | undefined) =>
    onWorkspace(withPanel(workspace, { ...panel, settings: withSetting(panel.settings, 'ignoreOutliers', ignored) }));
  if (onWhole === null && below === 0 && notFinite === 0 && beyond === null && scale.outliers !== 'shown') return null;
  return (
    <div className="panel-notes">
      {onWhole !== null && (
        <Button look="quiet" onClick={onWhole}>
          Show all of it
        </Button>
      )}
      {beyond !== null && <span>{beyond}</span>}
      {scale.outliers === 'left out' && beyond !== null && (
        <Button look="quiet" title="The axis takes in all values" onClick={() => onOutliers(false)}>
          Show all
        </Button>
      )}
      {scale.outliers === 'shown' && (
        <Button
          look="quiet"
          title="A few values make the axis so long that other curves lie flat"
          onClick={() => onOutliers(workspace.settings.ignoreOutliers === false ? true : undefined)}
        >
          Leave out outliers
        </Button>
      )}
      {notFinite > 0 && <span className="danger-text">◆ {formatCount(notFinite)} not finite</span>}
      {below > 0 && <span className="danger-text">{below} not above zero, off the log scale</span>}
    </div>
  );
}

const MOST_DESCRIBED = 6;

function describe(title: string, curves: readonly PlotCurve[]): string {
  const parts = curves
    .slice(0, MOST_DESCRIBED)
    .map(({ label, x, y }) => `${label}: ${x.length} points, last ${formatNumber(y.at(-1) ?? Number.NaN)}`);
  const rest = curves.length > MOST_DESCRIBED ? `; and ${curves.length - MOST_DESCRIBED} more` : '';
  return `Curves of ${title}. ${parts.join('; ')}${rest}`;
}

function curvesCsv(curves: readonly PlotCurve[], axis: string): string {
  const hasBand = curves.some(({ low, n }) => low !== null || n !== null);
  const along = axis === 'relative' ? 'seconds since the first point' : axisTitle(axis);
  const head = csvLine(['curve', along, 'value', ...(hasBand ? ['low', 'high', 'n'] : [])]);
  const lines = curves.flatMap(({ label, x, y, low, high, n }) =>
    x.map((place, index) => {
      const band = hasBand ? [low?.[index] ?? '', high?.[index] ?? '', n?.[index] ?? ''] : [];
      return csvLine([label, place, y[index]!, ...band]);
    }),
  );
  return head + lines.join('');
}
