import { useCallback, useEffect, useMemo, useState } from 'react';
import { csvLine } from '#src/base/lib/csvLine.ts';
import { drawParallel, fractionsOf } from '#web/charts/plot/drawParallel.ts';
import { ParallelPlot } from '#web/charts/plot/ParallelPlot.tsx';
import type { Range } from '#web/charts/plot/parallelTypes.ts';
import { readPlotColors } from '#web/charts/plot/plotColors.ts';
import { drawingOrder, type PlotPoints } from '#web/charts/plot/plotPoints.ts';
import { Button } from '#web/components/Button.tsx';
import { useTheme } from '#web/components/useTheme.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { metricColumn } from '#web/lib/runColumn.ts';
import { rangeFilter } from './rangeFilter.ts';
import type { PanelBodyProps } from './LinePanel.tsx';
import { usePanelShared } from './panelContext.ts';
import { fieldWords } from './panelTitle.ts';
import { axisOfValues, goodnessOf, placesOn, useRunValues, varyingFields } from './runValues.ts';
import './parallel.css';

const MOST_AXES = 8;

/** Each run as a line over the fields that differ, and the metric. What is chosen along axes narrows the table on demand. */
export function ParallelPanel({ panel, inSight, picture }: PanelBodyProps) {
  const { runs: all, subjects, lit, onOpen, onFilter } = usePanelShared();
  const theme = useTheme();
  const [metric = ''] = panel.metrics;
  const fields = useMemo(() => {
    const own = panel.fields.length > 0 ? panel.fields : varyingFields(all, MOST_AXES);
    return [...own, metricColumn(metric)];
  }, [panel.fields, all, metric]);
  const { runs, valueAt, directionOf } = useRunValues(fields, inSight);
  const [ranges, setRanges] = useState<Readonly<Record<string, Range>>>({});
  const [hovered, setHovered] = useState<number | null>(null);
  const setRange = useCallback((id: string, range: Range | null) => {
    setRanges(({ [id]: _, ...others }) => (range === null ? others : { ...others, [id]: range }));
  }, []);
  const axes = useMemo(
    () =>
      fields.map((field) => {
        const values = runs.map((_, index) => valueAt(index, field));
        const axis = axisOfValues(values);
        const places = placesOn(axis, values);
        return { id: field, title: fieldWords(field), axis, values, places, ...axis };
      }),
    [fields, runs, valueAt],
  );
  const points = useMemo((): PlotPoints => {
    const last = axes.at(-1)!.values;
    const numbers = Float64Array.from(last, (value) => (typeof value === 'number' ? value : Number.NaN));
    const goodness = goodnessOf(numbers, directionOf(metric));
    const passes = new Uint8Array(runs.length).fill(1);
    for (const { id, places } of axes) {
      const range = ranges[id];
      if (range === undefined) continue;
      for (const [index, place] of places.entries()) if (!(place >= range[0] && place <= range[1])) passes[index] = 0;
    }
    return {
      ...{ count: runs.length, goodness, passes },
      ...{ filtered: Object.keys(ranges).length > 0, order: drawingOrder(goodness) },
    };
  }, [axes, runs, ranges, directionOf, metric]);
  useEffect(() => {
    picture.current = {
      draw: (area, drawn = theme) => {
        const lines = fractionsOf(axes, points.count);
        drawParallel(area, { points, axes, lines, colors: readPlotColors(drawn), hovered: null });
      },
      csv: () =>
        [
          csvLine(['run', ...axes.map(({ title }) => title)]),
          ...runs.map(({ number }, index) =>
            csvLine([number, ...axes.map(({ values }) => formatValue(values[index]))]),
          ),
        ].join(''),
      legend: [],
    };
  }, [picture, axes, points, theme, runs]);
  const subjectOf = (index: number | null) => {
    const id = index === null ? undefined : runs[index]?.id;
    return subjects.find((subject) => subject.runs.some((run) => run.id === id))?.id ?? null;
  };
  const passing = points.passes.reduce((sum, passes) => sum + passes, 0);
  const shown = hovered === null ? undefined : runs[hovered];
  return (
    <div className="parallel-scroll">
      <div className="parallel-room" style={{ minWidth: 96 * axes.length }}>
        <ParallelPlot
          {...{ points, axes, ranges, hovered, theme }}
          onRange={setRange}
          onHover={(index) => {
            setHovered(index);
            lit.set(subjectOf(index));
          }}
          onPick={(index) => onOpen(subjectOf(index) ?? '')}
          label={`${runs.length} runs over ${axes.map(({ title }) => title).join(', ')}`}
        />
      </div>
      <div className="panel-notes" aria-live="polite">
        {points.filtered ? (
          <>
            <span>
              {passing} of {runs.length} runs
            </span>
            <Button
              look="quiet"
              onClick={() => {
                onFilter(rangeFilter(axes, ranges));
                setRanges({});
              }}
            >
              Filter the table
            </Button>
            <Button look="quiet" onClick={() => setRanges({})}>
              Clear
            </Button>
          </>
        ) : (
          shown !== undefined && `#${shown.number} ${shown.name}`
        )}
      </div>
    </div>
  );
}
