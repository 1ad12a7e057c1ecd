import { useEffect, useMemo, useState } from 'react';
import { csvLine } from '#src/base/lib/csvLine.ts';
import { drawDots, DotPlot, type DotAxis } from '#web/charts/plot/DotPlot.tsx';
import { drawingOrder, type PlotPoints } from '#web/charts/plot/plotPoints.ts';
import { readPlotColors } from '#web/charts/plot/plotColors.ts';
import { useTheme } from '#web/components/useTheme.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { metricColumn } from '#web/lib/runColumn.ts';
import type { PanelBodyProps } from './LinePanel.tsx';
import { usePanelShared } from './panelContext.ts';
import { fieldWords } from './panelTitle.ts';
import { axisOfValues, goodnessOf, placesOn, useRunValues } from './runValues.ts';

/** A dot a run: a metric by a parameter or by another metric, colored from worst to best. */
export function ScatterPanel({ panel, inSight, picture }: PanelBodyProps) {
  const { subjects, lit, onOpen } = usePanelShared();
  const theme = useTheme();
  const [hovered, setHovered] = useState<number | null>(null);
  const [metric = ''] = panel.metrics;
  const [field = 'seed'] = panel.fields;
  const fields = useMemo(() => [field, metricColumn(metric)], [field, metric]);
  const { runs, valueAt, directionOf } = useRunValues(fields, inSight);
  const plot = useMemo(() => {
    const column = (name: string) => runs.map((_, index) => valueAt(index, name));
    const [across, up] = [column(fields[0]!), column(fields[1]!)];
    const numbers = Float64Array.from(up, (value) => (typeof value === 'number' ? value : Number.NaN));
    const goodness = goodnessOf(numbers, directionOf(metric));
    const points: PlotPoints = {
      count: runs.length,
      goodness,
      passes: new Uint8Array(runs.length).fill(1),
      filtered: false,
      order: drawingOrder(goodness),
    };
    return { across, up, points, x: dotAxis(across), y: dotAxis(up) };
  }, [runs, valueAt, directionOf, fields, metric]);
  useEffect(() => {
    const { points, x, y } = plot;
    picture.current = {
      draw: (area, drawn = theme) =>
        drawDots(area, { points, x, y, xTitle: fieldWords(field), colors: readPlotColors(drawn) }),
      csv: () =>
        [
          csvLine(['run', fieldWords(field), metric]),
          ...runs.map(({ number }, index) =>
            csvLine([number, formatValue(plot.across[index]), formatValue(plot.up[index])]),
          ),
        ].join(''),
      legend: [],
    };
  }, [picture, plot, theme, runs, field, metric]);
  const subjectOf = (index: number | null) => {
    const id = index === null ? undefined : runs[index]?.id;
    return subjects.find((subject) => subject.runs.some((run) => run.id === id))?.id ?? null;
  };
  const shown = hovered === null ? undefined : runs[hovered];
  const count = plot.points.goodness.filter((value) => !Number.isNaN(value)).length;
  const notFinite = plot.up.filter((value) => typeof value === 'number' && !Number.isFinite(value)).length;
  return (
    <>
      <DotPlot
        points={plot.points}
        x={plot.x}
        y={plot.y}
        xTitle={fieldWords(field)}
        label={`${metric} by ${fieldWords(field)}, ${count} runs`}
        hovered={hovered}
        onHover={(index) => {
          setHovered(index);
          lit.set(subjectOf(index));
        }}
        onPick={(index) => onOpen(subjectOf(index) ?? '')}
        theme={theme}
      />
      {shown !== undefined && hovered !== null && (
        <div className="panel-tip">
          #{shown.number} {shown.name}: {fieldWords(field)} {formatValue(plot.across[hovered])}, {metric}{' '}
          {formatValue(plot.up[hovered])}
        </div>
      )}
      {inSight && count === 0 && (
        <p className="panel-empty panel-over muted">
          {notFinite === 0
            ? `None of the ${runs.length} runs has it.`
            : `No value is finite: ${notFinite} of the ${runs.length} runs have NaN or ∞.`}
        </p>
      )}
      {count > 0 && notFinite > 0 && (
        <div className="panel-notes">
          <span className="danger-text">{notFinite} not finite</span>
        </div>
      )}
    </>
  );
}

function dotAxis(values: readonly unknown[]): DotAxis {
  const axis = axisOfValues(values);
  return {
    places: placesOn(axis, values),
    ticks: axis.ticks,
    categories: axis.categories,
  };
}
