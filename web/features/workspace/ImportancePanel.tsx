import { useCallback, useEffect, useMemo } from 'react';
import { csvLine } from '#src/base/lib/csvLine.ts';
import { useRunImportance } from '#web/features/metrics/useRunImportance.ts';
import { readChartColors } from '#web/charts/chartColors.ts';
import { drawRows, type PlotRow } from '#web/charts/plot/drawRows.ts';
import { type PlotArea, usePlotCanvas } from '#web/charts/plot/plotCanvas.ts';
import { useTheme } from '#web/components/useTheme.ts';
import type { PanelBodyProps } from './LinePanel.tsx';
import { usePanelShared } from './panelContext.ts';
import '#web/charts/plot/plot.css';

/** How much of a metric's variance each parameter explains by itself, over the runs of the table. */
export function ImportancePanel({ panel, inSight, picture }: PanelBodyProps) {
  const { runs } = usePanelShared();
  const theme = useTheme();
  const [metric = ''] = panel.metrics;
  const runIds = useMemo(() => runs.map(({ id }) => id), [runs]);
  const { data, error } = useRunImportance(runIds, metric, inSight);
  const rows = useMemo(
    () =>
      (data ?? []).map(
        ({ path, importance }): PlotRow => ({
          ...{ id: path, label: path, color: '--series-1', values: [importance] },
          ...{ mean: importance, low: importance, high: importance },
        }),
      ),
    [data],
  );
  const draw = useCallback(
    (area: PlotArea, drawn: string = theme) => {
      if (rows.length === 0) return;
      drawRows(area, { rows, kind: 'bar', xTitle: 'importance', colors: readChartColors(drawn), lit: null });
    },
    [rows, theme],
  );
  const canvas = usePlotCanvas(draw);
  useEffect(() => {
    picture.current = {
      draw,
      csv: () =>
        [csvLine(['parameter', 'importance']), ...rows.map(({ label, mean }) => csvLine([label, mean]))].join(''),
      legend: [],
    };
  }, [picture, draw, rows]);
  return (
    <>
      <canvas
        className="plot-canvas"
        ref={canvas}
        role="img"
        aria-label={`Importance of parameters to ${metric}: ${rows.map(({ label, mean }) => `${label} ${mean.toFixed(2)}`).join(', ')}`}
      />
      {rows.length === 0 && inSight && (
        <p className="panel-empty panel-over muted">
          {error !== null
            ? error.message
            : data === undefined
              ? 'Reading …'
              : 'Known from eight runs with different parameters and values on.'}
        </p>
      )}
    </>
  );
}
