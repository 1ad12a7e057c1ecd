import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { DotPlot } from '#web/charts/plot/DotPlot.tsx';
import { ParallelPlot } from '#web/charts/plot/ParallelPlot.tsx';
import { Button } from '#web/components/Button.tsx';
import { useTheme } from '#web/components/useTheme.ts';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import { DIGITS, numberAxis } from '#web/lib/valueAxis.ts';
import type { TrialSet } from './trialSet.ts';
import { OBJECTIVE, type TrialFilter } from './useTrialFilter.ts';

export interface SweepChartProps {
  trials: TrialSet;
  filter: TrialFilter;
  hovered: number | null;
  onHover(index: number | null): void;
}

/** Opens the first run of a trial. */
function useOpenTrial(trials: TrialSet): (index: number) => void {
  const navigate = useNavigate();
  return useCallback(
    (index: number) => {
      const run = trials.runs[index]?.[0];
      if (run !== undefined) void navigate({ to: '/runs/$runId', params: { runId: run.id } });
    },
    [trials, navigate],
  );
}

/** Objectives in the order of drawing, and the best of them so far. */
export function BestSoFar({ trials, filter, hovered, onHover }: SweepChartProps) {
  const theme = useTheme();
  const open = useOpenTrial(trials);
  const x = useMemo(() => {
    const axis = numberAxis(0, Math.max(1, trials.count - 1));
    const places = Float64Array.from({ length: trials.count }, (_, index) => axis.place(index));
    // there is no half of a trial
    const whole = axis.ticks.filter(({ label }) => !/\.\d*[1-9]/.test(label));
    const ticks = whole.map(({ place, label }) => ({ place, label: label.replace(/\.0+$/, '') }));
    return { places, ticks, categories: null };
  }, [trials.count]);
  const y = useMemo(() => objectiveAxis(trials), [trials]);
  const best = trials.records.at(-1);
  const label =
    best === undefined
      ? `Best ${trials.objective.title} so far: no trial has one yet`
      : `Best ${trials.objective.title} so far over ${trials.count} trials: ${formatNumber(trials.objectives[best]!, DIGITS)} by trial ${best}, ${trials.records.length} improvements`;
  return (
    <figure className="panel sweep-card sweep-curve">
      <figcaption className="chart-head">
        <h2>Best so far</h2>
        <span className="muted">{trials.objective.title} by trial</span>
      </figcaption>
      <div className="chart-body">
        <DotPlot
          points={filter.points}
          x={x}
          y={y}
          xTitle="trial"
          stair={trials.records}
          label={label}
          hovered={hovered}
          onHover={onHover}
          onPick={open}
          theme={theme}
        />
      </div>
    </figure>
  );
}

function objectiveAxis({ objective }: TrialSet) {
  return { places: objective.places, ticks: objective.axis.ticks, categories: null };
}

/** Every trial as a line over its parameters and the objective; dragging along an axis filters the page. */
export function ParallelCard({ trials, filter, hovered, onHover }: SweepChartProps) {
  const theme = useTheme();
  const open = useOpenTrial(trials);
  const axes = useMemo(
    () =>
      [
        ...trials.parameters.map(({ path, title, axis, places }) => ({ id: path, title, axis, places })),
        { id: OBJECTIVE, ...trials.objective },
      ].map(({ axis, ...rest }) => ({
        ...rest,
        ticks: axis.ticks,
        categories: axis.categories,
        textAt: axis.textAt,
      })),
    [trials],
  );
  return (
    <figure className="panel sweep-card">
      <figcaption className="chart-head sweep-parallel-head">
        <h2>Parameters and objective</h2>
        <span className="muted" aria-live="polite">
          {filter.points.filtered
            ? `${formatCount(filter.passing)} of ${formatCount(trials.count)} trials`
            : 'Drag along an axis to filter.'}
        </span>
        {filter.points.filtered && <Button onClick={filter.clear}>Clear filter</Button>}
        <RampKey />
      </figcaption>
      <div className="sweep-parallel-scroll">
        <div className="sweep-parallel" style={{ minWidth: 104 * axes.length }}>
          <ParallelPlot
            points={filter.points}
            axes={axes}
            ranges={filter.ranges}
            onRange={filter.setRange}
            hovered={hovered}
            onHover={onHover}
            onPick={open}
            label={`Parallel coordinates of ${trials.count} trials over ${axes.map(({ title }) => title).join(', ')}`}
            theme={theme}
          />
        </div>
      </div>
    </figure>
  );
}

/** What the colours mean. */
function RampKey() {
  return (
    <span className="sweep-ramp" aria-hidden="true">
      worst <span className="sweep-ramp-bar" /> best
    </span>
  );
}

/** One chart a parameter: its value against the objective. The most important come first. */
export function Slices({ trials, filter, hovered, onHover, order }: SweepChartProps & { order: readonly string[] }) {
  const theme = useTheme();
  const open = useOpenTrial(trials);
  const y = useMemo(() => objectiveAxis(trials), [trials]);
  const sorted = useMemo(() => {
    const rank = (path: string) => (order.includes(path) ? order.indexOf(path) : order.length);
    return trials.parameters
      .toSorted((a, b) => rank(a.path) - rank(b.path))
      .map(({ path, title, places, axis }) => ({
        ...{ path, title },
        x: { places, ticks: axis.ticks, categories: axis.categories },
      }));
  }, [trials, order]);
  return (
    <div className="sweep-slices">
      {sorted.map(({ path, title, x }) => (
        <figure key={path} className="panel sweep-card sweep-slice" title={path}>
          {/* the axis names it for those who see it */}
          <figcaption className="visually-hidden">
            <h3>{title}</h3>
          </figcaption>
          <div className="chart-body">
            <DotPlot
              points={filter.points}
              x={x}
              y={y}
              xTitle={title}
              label={`${trials.objective.title} by ${path}, ${trials.count} trials`}
              hovered={hovered}
              onHover={onHover}
              onPick={open}
              theme={theme}
            />
          </div>
        </figure>
      ))}
    </div>
  );
}
