import { useMemo } from 'react';
import { type MediaSeries, useMediaSeries } from './useMedia.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Figures } from './Figures.tsx';
import { figuresOf } from './figuresOf.ts';
import type { MediaRun } from './mediaRun.ts';
import { MediaSection } from './MediaSection.tsx';
import './media.css';

export interface MediaPanelProps {
  runs: readonly MediaRun[];
  /** Whether one of them goes on. */
  live: boolean;
}

/** What runs have to look at: their figures, and what their programs logged, name by name. Several runs stand side by side. */
export function MediaPanel({ runs, live }: MediaPanelProps) {
  const answers = useMediaSeries(
    runs.map(({ id }) => id),
    live,
  );
  const loaded = answers.every(({ data }) => data !== undefined);
  const overviews = answers.map(({ data }) => data ?? null);
  const names = useMemo(
    () => [...new Set(overviews.flatMap((overview) => overview?.mediaSeries.map(({ name }) => name) ?? []))].sort(),
    [overviews],
  );
  const error = answers.find((answer) => answer.error !== null)?.error;
  if (error != null) return <p className="danger-text">{error.message}</p>;
  if (!loaded) return <Loading what="media" />;
  const figures = overviews.map((overview) => figuresOf(overview?.artifacts ?? []));
  if (names.length === 0 && figures.every((some) => some.length === 0)) {
    return (
      <EmptyState title="Nothing to look at">
        <p>Figures of a run, and images, tables, histograms and charts that a program logs, are shown here.</p>
      </EmptyState>
    );
  }
  return (
    <div className="media-panel">
      <Figures runs={runs} figures={figures} />
      {names.map((name) => (
        <MediaSection
          key={name}
          name={name}
          columns={runs.flatMap((run, index) => {
            const series = overviews[index]?.mediaSeries.find((one: MediaSeries) => one.name === name);
            return series === undefined ? [] : [{ run, series }];
          })}
          alone={runs.length === 1}
        />
      ))}
    </div>
  );
}
