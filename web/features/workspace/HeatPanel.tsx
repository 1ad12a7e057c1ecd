import { useCallback, useEffect, useMemo, useState } from 'react';
import { csvLine } from '#src/base/lib/csvLine.ts';
import { drawHeat, type HeatCell, type HeatGrid, heatCellAt } from '#web/charts/plot/drawHeat.ts';
import { type PlotArea, usePlotCanvas } from '#web/charts/plot/plotCanvas.ts';
import { readPlotColors } from '#web/charts/plot/plotColors.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { metricColumn } from '#web/lib/runColumn.ts';
import type { PanelBodyProps } from './LinePanel.tsx';
import { fieldWords } from './panelTitle.ts';
import { axisOfValues, goodnessOf, useRunValues } from './runValues.ts';
import '#web/charts/plot/plot.css';

/** The mean of a metric for each pair of values of two parameters. */
export function HeatPanel({ panel, inSight, picture }: PanelBodyProps) {
  const theme = useTheme();
  const [metric = ''] = panel.metrics;
  const [across = 'seed', up = 'kind'] = panel.fields;
  const fields = useMemo(() => [across, up, metricColumn(metric)], [across, up, metric]);
  const { runs, valueAt, directionOf } = useRunValues(fields, inSight);
  const grid = useMemo((): HeatGrid => {
    const axes = [across, up].map((field) =>
      axisOfValues(
        runs.map((_, index) => valueAt(index, field)),
        { asCategories: true },
      ),
    );
    const sums = new Map<string, { column: number; row: number; sum: number; n: number }>();
    for (const index of runs.keys()) {
      const value = valueAt(index, fields[2]!);
      const [column, row] = [across, up].map((field, at) => {
        const place = axes[at]!.place(valueAt(index, field));
        return Math.floor(place * (axes[at]!.categories ?? 1));
      }) as [number, number];
      if (typeof value !== 'number' || !Number.isFinite(value) || Number.isNaN(column) || Number.isNaN(row)) continue;
      const cell = sums.get(`${column} ${row}`) ?? { column, row, sum: 0, n: 0 };
      sums.set(`${column} ${row}`, { ...cell, sum: cell.sum + value, n: cell.n + 1 });
    }
    const means = [...sums.values()].map(({ column, row, sum, n }) => ({ column, row, n, mean: sum / n }));
    const goodness = goodnessOf(
      means.map(({ mean }) => mean),
      directionOf(metric),
    );
    const [columns, rows] = axes.map(({ ticks }) => ticks.map(({ label }) => label)) as [string[], string[]];
    return {
      xTitle: fieldWords(across),
      columns,
      rows,
      cells: means.map((cell, index) => ({ ...cell, goodness: goodness[index]! })),
    };
  }, [runs, valueAt, directionOf, across, up, fields, metric]);
  const [lit, setLit] = useState<HeatCell | null>(null);
  const draw = useCallback(
    (area: PlotArea) => drawHeat(area, { grid, colors: readPlotColors(theme), lit }),
    [grid, theme, lit],
  );
  const canvas = usePlotCanvas(draw);
  useEffect(() => {
    picture.current = {
      draw: (area, drawn = theme) => drawHeat(area, { grid, colors: readPlotColors(drawn), lit: null }),
      csv: () =>
        [
          csvLine([fieldWords(across), fieldWords(up), metric, 'n']),
          ...grid.cells.map(({ column, row, mean, n }) => csvLine([grid.columns[column]!, grid.rows[row]!, mean, n])),
        ].join(''),
      legend: [],
    };
  }, [picture, grid, theme, across, up, metric]);
  const words = (cell: HeatCell) =>
    `${fieldWords(across)} ${grid.columns[cell.column]}, ${fieldWords(up)} ${grid.rows[cell.row]}: ${formatNumber(cell.mean, 4)} (n ${cell.n})`;
  return (
    <>
      <canvas
        className="plot-canvas"
        ref={canvas}
        role="img"
        aria-label={`Mean ${metric} by ${fieldWords(across)} and ${fieldWords(up)}. ${grid.cells.slice(0, 12).map(words).join('; ')}`}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setLit(heatCellAt(grid, { left: event.clientX - box.left, top: event.clientY - box.top }, box));
        }}
        onPointerLeave={() => setLit(null)}
      />
      {lit !== null && <div className="panel-tip">{words(lit)}</div>}
      {inSight && grid.cells.length === 0 && (
        <p className="panel-empty panel-over muted">None of the {runs.length} runs has the metric and both fields.</p>
      )}
    </>
  );
}
