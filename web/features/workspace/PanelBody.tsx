import { lazy, Suspense, useCallback, useEffect, useMemo, useState, useRef } from 'react';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { Loading } from '#web/components/Loading.tsx';
import { csvLine } from '#src/base/lib/csvLine.ts';
import { drawHeat, type HeatCell, type HeatGrid, heatCellAt } from '#web/charts/plot/drawHeat.ts';
import { type PlotArea, usePlotCanvas } from '#web/charts/plot/plotCanvas.ts';
import { readPlotColors } from '#web/charts/plot/plotColors.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { metricColumn } from '#web/lib/runColumn.ts';
import { type PanelBodyProps, LinePanel } from './LinePanel.tsx';
import { fieldWords } from './panelTitle.ts';
import { axisOfValues, goodnessOf, useRunValues } from './runValues.ts';
import '#web/charts/plot/plot.css';
import { useRunImportance } from '#web/features/metrics/useRunImportance.ts';
import { readChartColors } from '#web/charts/chartColors.ts';
import { drawRows, type PlotRow, rowAt, rowText } from '#web/charts/plot/drawRows.ts';
import { usePanelShared } from './panelContext.ts';
import { ParallelPanel } from './ParallelPanel.tsx';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';
import { useStore } from '#web/api/useStore.ts';
import { ScatterPanel } from './ScatterPanel.tsx';

/** A metric of each run or group: bars of means with their 95 % intervals, or boxes over the runs' values. */
function RowsPanel({ panel, inSight, picture }: PanelBodyProps) {
  const { subjects, lit, onOpen } = usePanelShared();
  const kind = panel.kind === 'box' ? 'box' : 'bar';
  const [metric = ''] = panel.metrics;
  const theme = useTheme();
  const litId = useStore(lit);
  const fields = useMemo(() => [metricColumn(metric)], [metric]);
  const { runs, valueAt } = useRunValues(fields, inSight);
  const rows = useMemo(() => {
    const places = new Map(runs.map(({ id }, index) => [id, index]));
    return subjects.flatMap((subject): PlotRow[] => {
      const values = subject.runs.flatMap(({ id }) => {
        const value = valueAt(places.get(id) ?? -1, fields[0]!);
        return typeof value === 'number' && Number.isFinite(value) ? [value] : [];
      });
      if (values.length === 0) return [];
      const { id, label, style } = subject;
      return [{ id, label, color: style.colorVariable, values, ...interval(values) }];
    });
  }, [subjects, runs, valueAt, fields]);
  const size = useRef({ width: 0, height: 0 });
  const draw = useCallback(
    (area: PlotArea) => {
      size.current = area;
      if (rows.length > 0) drawRows(area, { rows, kind, xTitle: metric, colors: readChartColors(theme), lit: litId });
    },
    [rows, kind, metric, theme, litId],
  );
  const canvas = usePlotCanvas(draw);
  const [tip, setTip] = useState<string | null>(null);
  useEffect(() => {
    picture.current = {
      draw: (area, drawn = theme) =>
        rows.length > 0 && drawRows(area, { rows, kind, xTitle: metric, colors: readChartColors(drawn), lit: null }),
      csv: () => rowsCsv(rows),
      legend: [],
    };
  }, [picture, rows, kind, metric, theme]);
  return (
    <>
      <canvas
        className="plot-canvas"
        ref={canvas}
        role="img"
        aria-label={`${metric}. ${rows
          .slice(0, 8)
          .map((row) => rowText(row, kind))
          .join('; ')}`}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const row = rowAt(rows, event.clientY - box.top, box.height);
          lit.set(row?.id ?? null);
          setTip(row === null ? null : rowText(row, kind));
        }}
        onPointerLeave={() => {
          lit.set(null);
          setTip(null);
        }}
        onClick={() => litId !== null && onOpen(litId)}
      />
      {tip !== null && <div className="panel-tip">{tip}</div>}
      {rows.length === 0 && (
        <p className="panel-empty panel-over muted">None of the runs shown has a finite value of it.</p>
      )}
    </>
  );
}

/** Mean and 95 % interval by Student's t; the mean alone for one value. */
function interval(values: readonly number[]): { mean: number; low: number; high: number } {
  const { mean, standardDeviation, n } = summarizeReplicates(values);
  const half = standardDeviation === null ? 0 : (studentQuantile(0.95, n - 1) * standardDeviation) / Math.sqrt(n);
  return { mean, low: mean - half, high: mean + half };
}

function rowsCsv(rows: readonly PlotRow[]): string {
  return [
    csvLine(['curve', 'n', 'mean', 'low', 'high', 'values']),
    ...rows.map(({ label, values, mean, low, high }) =>
      csvLine([label, values.length, mean, low, high, values.join(' ')]),
    ),
  ].join('');
}

/** The mean of a metric for each pair of values of two parameters. */
function HeatPanel({ panel, inSight, picture }: PanelBodyProps) {
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

/** How much of a metric's variance each parameter explains by itself, over the runs of the table. */
function ImportancePanel({ panel, inSight, picture }: PanelBodyProps) {
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

const RunsMediaPanel = lazy(async () => ({ default: (await import('./RunsMediaPanel.tsx')).RunsMediaPanel }));

/** What a panel shows. */
export function PanelBody(props: PanelBodyProps) {
  const { kind } = props.panel;
  switch (kind) {
    case 'line':
      return <LinePanel {...props} />;
    case 'scatter':
      return <ScatterPanel {...props} />;
    case 'bar':
    case 'box':
      return <RowsPanel {...props} />;
    case 'parallel':
      return <ParallelPanel {...props} />;
    case 'importance':
      return <ImportancePanel {...props} />;
    case 'media':
      return (
        <Suspense fallback={<Loading what="media" />}>
          <RunsMediaPanel {...props} />
        </Suspense>
      );
    case 'heat':
      return <HeatPanel {...props} />;
    default:
      return assertNever(kind);
  }
}
