import { useMemo, useState } from 'react';
import type { MediaSeries } from './useMedia.ts';
import { useInSight } from '../shared/useInSight.ts';
import { HistogramSteps } from './HistogramSteps.tsx';
import { JoinedTables } from './JoinedTables.tsx';
import { MediaAtStep } from './MediaAtStep.tsx';
import type { MediaRun } from './mediaRun.ts';
import { stepAt } from './stepAt.ts';
import { StepSlider } from './StepSlider.tsx';

export interface MediaColumn {
  run: MediaRun;
  series: MediaSeries;
}

export interface MediaSectionProps {
  name: string;
  /** Runs that have something of this name. */
  columns: readonly MediaColumn[];
  /** Whether the page is about one run. */
  alone: boolean;
}

/** What was logged under one name, at the step that the slider stands at: the newest at first. */
export function MediaSection({ name, columns, alone }: MediaSectionProps) {
  const [holder, inSight] = useInSight<HTMLElement>();
  const steps = useMemo(
    () => [...new Set(columns.flatMap(({ series }) => series.steps))].sort((a, b) => a - b),
    [columns],
  );
  // null follows the newest
  const [chosen, setChosen] = useState<number | null>(null);
  const step = chosen ?? steps.at(-1) ?? 0;
  const areTables = columns.every(({ series }) => series.kind === 'table');
  return (
    <section className="stack" aria-label={name} ref={holder}>
      <div className="media-head">
        <h2>{name}</h2>
        <StepSlider {...{ name, steps, chosen }} onChoose={setChosen} />
      </div>
      {inSight && (
        <div className={alone ? 'media-alone' : 'media-columns'}>
          {columns.map(({ run, series }) => (
            <div key={run.id} className="stack media-column">
              {!alone && <h3>{run.label}</h3>}
              {series.kind === 'histogram' && series.steps.length > 1 && (
                <HistogramSteps runId={run.id} series={series} step={stepAt(series.steps, step)} onStep={setChosen} />
              )}
              <MediaAtStep runId={run.id} name={name} step={stepAt(series.steps, step)} />
            </div>
          ))}
        </div>
      )}
      {inSight && areTables && columns.length === 2 && (
        <JoinedTables
          name={name}
          sides={columns.map(({ run, series }) => ({ run, step: stepAt(series.steps, step) }))}
        />
      )}
    </section>
  );
}
