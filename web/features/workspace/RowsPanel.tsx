import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { csvLine } from '#src/base/lib/csvLine.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';
import { useStore } from '#web/api/useStore.ts';
import { readChartColors } from '#web/charts/chartColors.ts';
import { drawRows, type PlotRow, rowAt, rowText } from '#web/charts/plot/drawRows.ts';
import { type PlotArea, usePlotCanvas } from '#web/charts/plot/plotCanvas.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { metricColumn } from '#web/lib/runColumn.ts';
import type { PanelBodyProps } from './LinePanel.tsx';
import { usePanelShared } from './panelContext.ts';
import { useRunValues } from './runValues.ts';
import '#web/charts/plot/plot.css';

/** A metric of each run or group: bars of means with their 95 % intervals, or boxes over the runs' values. */
export function RowsPanel({ panel, inSight, picture }: PanelBodyProps) {
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
