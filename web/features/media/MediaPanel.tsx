import { useMemo, useState, useEffect } from 'react';
import { type MediaSeries, useMediaSeries, type ShownArtifact, type Media, useMedia } from './useMedia.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { figuresOf } from './figuresOf.ts';
import { useInSight } from '../shared/useInSight.ts';
import { HistogramSteps } from './HistogramSteps.tsx';
import { TableView } from './TableView.tsx';
import { Button } from '#web/components/Button.tsx';
import { MediaItem } from './MediaItem.tsx';
import { stepAt } from './stepAt.ts';
import { StepSlider } from './StepSlider.tsx';
import './media.css';

/** A run whose media are shown. */
interface MediaRun {
  id: string;
  /** What it is called where several are shown side by side. */
  label: string;
}

interface JoinedTablesProps {
  name: string;
  /** Two runs, and the step of each whose table is joined. */
  sides: readonly { run: MediaRun; step: number }[];
}

/** The tables of two runs in one, row by row where a column that both have is the same, with the differences. */
function JoinedTables({ name, sides }: JoinedTablesProps) {
  const [left, right] = sides;
  const first = useFirstTable(left?.run.id ?? '', name, left?.step ?? 0);
  const second = useFirstTable(right?.run.id ?? '', name, right?.step ?? 0);
  const [chosen, setChosen] = useState('');
  const common = useMemo(
    () => (first === null || second === null ? [] : first.columns.filter((column) => second.columns.includes(column))),
    [first, second],
  );
  if (left === undefined || right === undefined || first === null || second === null || common.length === 0)
    return null;
  return (
    <div className="stack media-joined">
      <label>
        Join by{' '}
        <select className="input" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">a column …</option>
          {common.map((column) => (
            <option key={column}>{column}</option>
          ))}
        </select>
      </label>
      {common.includes(chosen) && (
        <TableView
          label={`${name}, joined by ${chosen}`}
          joinBy={chosen}
          sources={[
            { url: first.url, label: left.run.label },
            { url: second.url, label: right.run.label },
          ]}
        />
      )}
    </div>
  );
}

function useFirstTable(runId: string, name: string, step: number): { url: string; columns: string[] } | null {
  const { data } = useMedia(runId, name, [step, step]);
  const table = data?.pages[0]?.[0];
  const columns: unknown = Object(table?.metadata).columns;
  if (table?.url == null || !Array.isArray(columns)) return null;
  return { url: table.url, columns: columns.filter((column) => typeof column === 'string') };
}

interface MediaAtStepProps {
  runId: string;
  name: string;
  step: number;
}

/** All that a run logged under a name at a step; further pages come when the end is near. */
function MediaAtStep({ runId, name, step }: MediaAtStepProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useMedia(runId, name, [step, step]);
  if (error !== null) return <p className="danger-text">{error.message}</p>;
  if (data === undefined) return <p className="empty">Loading …</p>;
  const items: Media[] = data.pages.flat();
  const isGrid = items.length > 1 && items.every(({ kind }) => kind === 'image');
  return (
    <>
      <div className={isGrid ? 'media-grid' : 'stack media-list'}>
        {items.map((item) => (
          <MediaItem key={item.id} item={item} label={items.length === 1 ? name : `${name} ${item.index + 1}`} />
        ))}
      </div>
      {hasNextPage && (
        <More key={items.length} busy={isFetchingNextPage} shown={items.length} onMore={() => void fetchNextPage()} />
      )}
    </>
  );
}

function More({ busy, shown, onMore }: { busy: boolean; shown: number; onMore(): void }) {
  const [holder, inSight] = useInSight<HTMLDivElement>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once, when it comes near, not again when `busy` or `onMore` change
  useEffect(() => {
    if (inSight && !busy) onMore();
  }, [inSight]);
  return (
    <div ref={holder}>
      <Button onClick={onMore}>{busy ? 'Loading …' : `Show more (${shown} shown)`}</Button>
    </div>
  );
}

interface MediaColumn {
  run: MediaRun;
  series: MediaSeries;
}

interface MediaSectionProps {
  name: string;
  /** Runs that have something of this name. */
  columns: readonly MediaColumn[];
  /** Whether the page is about one run. */
  alone: boolean;
}

/** What was logged under one name, at the step that the slider stands at: the newest at first. */
function MediaSection({ name, columns, alone }: MediaSectionProps) {
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

/** The pictures among the files of the runs; of several runs, figures of one name stand beside each other. */
function Figures({ runs, figures }: { runs: readonly MediaRun[]; figures: readonly ShownArtifact[][] }) {
  const names = [...new Set(figures.flatMap((some) => some.map(({ name }) => name)))].sort();
  if (names.length === 0) return null;
  return (
    <section className="stack" aria-label="Figures">
      <h2>Figures</h2>
      <div className="media-figures">
        {names.flatMap((name) =>
          runs.map((run, index) => {
            const figure = figures[index]?.find((one) => one.name === name);
            if (figure === undefined) return null;
            const title = runs.length === 1 ? name : `${name} of ${run.label}`;
            return (
              <figure className="panel media-figure" key={`${run.id} ${name}`}>
                <a href={figure.viewUrl} target="_blank" rel="noreferrer" aria-label={`Open ${title}`}>
                  <img src={figure.viewUrl} alt={title} loading="lazy" decoding="async" />
                </a>
                <figcaption>{title}</figcaption>
              </figure>
            );
          }),
        )}
      </div>
    </section>
  );
}

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
