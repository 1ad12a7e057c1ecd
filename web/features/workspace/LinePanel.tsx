import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { Panel } from '#src/contracts/workspace.ts';
import { csvLine } from '#src/lib/csvLine.ts';
import { useCurveSets, useFinerCurves } from '#web/api/useCurves.ts';
import { readChartColors } from '#web/charts/chartColors.ts';
import { drawLines } from '#web/charts/lines/drawLines.ts';
import { LinePlot } from '#web/charts/lines/LinePlot.tsx';
import { lineScale } from '#web/charts/lines/lineScale.ts';
import type { PlotCurve, PlotRange } from '#web/charts/lines/plotCurve.ts';
import { Button } from '#web/components/Button.tsx';
import { useTheme } from '#web/components/useTheme.ts';
import { axisTitle } from '#web/lib/curves/alongAxis.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { fullSettings, metricsOfAxis } from './curveSettings.ts';
import { formulaSets, panelCurves, stepsWithin, withFiner } from './panelCurves.ts';
import { type PanelPicture, usePanelShared } from './panelContext.ts';
import { panelTitle } from './panelTitle.ts';
import { hasLive } from './subjects.ts';

export interface PanelBodyProps {
  panel: Panel;
  inSight: boolean;
  /** Told what to draw for a picture or a file. */
  picture: RefObject<PanelPicture | null>;
}

/** Curves of one or several metrics over steps, times or another metric. */
export function LinePanel({ panel, inSight, picture }: PanelBodyProps) {
  const { workspace, store, subjects, lit, cursor, onOpen } = usePanelShared();
  const theme = useTheme();
  const [zoom, setZoom] = useState<PlotRange | null>(null);
  const settings = useMemo(
    () => fullSettings(workspace.settings, panel.settings),
    [workspace.settings, panel.settings],
  );
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
  const curves = useMemo(
    () =>
      panelCurves(
        formulaSets(
          panel,
          sets.slice(0, metrics.length).map((set) => withFiner(set, fine ?? [])),
        ),
        (withFiner(others, fine ?? []) ?? others).filter(({ name }) => guides.includes(name) || metrics.includes(name)),
        { metrics: panel.formula === undefined ? metrics : [panel.formula], subjects, settings },
      ),
    [sets, others, fine, metrics, guides, subjects, settings, panel],
  );
  const isTime = settings.x === 'time';
  const scale = useMemo(() => lineScale(curves, { ...settings, zoom, isTime }), [curves, settings, zoom, isTime]);
  const title = panelTitle(panel);
  useEffect(() => {
    picture.current = {
      draw: (area, drawn = theme) =>
        drawLines(area, { curves, scale, colors: readChartColors(drawn), lit: null, xTitle: axisTitle(settings.x) }),
      csv: () => curvesCsv(curves, settings.x),
      legend: curves.map(({ label, style }) => ({ label, style })),
    };
  }, [picture, curves, scale, theme, settings.x]);

  if (!inSight || sets.slice(0, metrics.length).every((set) => set === null)) return <div className="panel-waiting" />;
  if (curves.length === 0) return <p className="panel-empty muted">None of the runs shown has points of it.</p>;
  const below = settings.logY ? curves.reduce((sum, { y }) => sum + y.filter((value) => value <= 0).length, 0) : 0;
  return (
    <>
      <LinePlot
        {...{ curves, scale, lit, cursor, theme }}
        axis={settings.x}
        axisTitle={axisTitle(settings.x)}
        label={describe(title, curves)}
        onZoom={setZoom}
        onPick={onOpen}
      />
      {(zoom !== null || below > 0) && (
        <div className="panel-notes">
          {zoom !== null && (
            <Button look="quiet" onClick={() => setZoom(null)}>
              Show all of it
            </Button>
          )}
          {below > 0 && <span className="danger-text">{below} not above zero, off the log scale</span>}
        </div>
      )}
    </>
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
  const head = csvLine(['curve', axisTitle(axis), 'value', ...(hasBand ? ['low', 'high', 'n'] : [])]);
  const lines = curves.flatMap(({ label, x, y, low, high, n }) =>
    x.map((place, index) => {
      const band = hasBand ? [low?.[index] ?? '', high?.[index] ?? '', n?.[index] ?? ''] : [];
      return csvLine([label, place, y[index]!, ...band]);
    }),
  );
  return head + lines.join('');
}
