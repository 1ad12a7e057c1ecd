import { Link } from '@tanstack/react-router';
import { useMemo, useEffect, useEffectEvent, useState } from 'react';
import { MEDIA_SIZES, type MediaSettings, type Panel } from '#src/base/contracts/workspace.ts';
import { type MediaOfRun, useMediaAtStep, useMediaNames } from '#web/features/media/useMediaOfRuns.ts';
import { fieldTitle } from '#src/base/lib/groupLabels.ts';
import { useStore } from '#web/api/useStore.ts';
import { Button } from '#web/components/Button.tsx';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { MediaItem } from '../media/MediaItem.tsx';
import { StepSlider } from '../media/StepSlider.tsx';
import { LineKey } from '../shared/LineKey.tsx';
import type { PanelBodyProps } from './LinePanel.tsx';
import { type MediaCell, mediaGroups, mediaCells } from './mediaGroups.ts';
import { usePanelShared } from './panelContext.ts';
import { varyingFields } from './runValues.ts';
import { withPanel, USUAL_MEDIA, withMedia } from './sections.ts';
import { hasLive, subjectsOfRuns } from './subjects.ts';
import { useRunPage } from '#web/features/runs/useRunPages.ts';
import '../media/media.css';
import './runsMedia.css';

/** Where a panel of media stands among all runs that match. */
interface MediaPages {
  page: number;
  count: number;
  /** Runs before those of the page. */
  before: number;
  total: number;
  goTo(page: number): void;
}

/** Where only those that have curves are there to be seen. */
const NOTHING = { project: null, filter: '', orderBy: 'number', direction: 'DESC', inTrash: false } as const;

/** The runs of a panel of media: first those that have curves, then, page by page, all others that the table shows. */
function useMediaPage(): { cells: readonly MediaCell[]; pages: MediaPages | null; error: Error | null } {
  const { subjects, workspace, matching } = usePanelShared();
  const [chosen, goTo] = useState(0);
  const size = workspace.curves;
  const total = matching?.totalCount ?? 0;
  const count = Math.ceil(total / size);
  const page = Math.min(chosen, Math.max(0, count - 1));
  const { runs, error } = useRunPage(matching?.runs ?? NOTHING, { page, size, enabled: page > 0 });
  const ids = runs?.map(({ id }) => id).join() ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the runs
  const cells = useMemo(() => mediaCells(page === 0 ? subjects : subjectsOfRuns(runs ?? [])), [page, subjects, ids]);
  const pages = count > 1 ? { page, count, before: page * size, total, goTo } : null;
  return { cells, pages, error };
}

/** A slider that moves changes the address once it rests: browsers refuse to change an address many times a second. */
const REST_MS = 250;

/** How a panel of media shows them, kept with the panel. The step is shown while the slider moves, and kept when it rests. */
function useMediaSettings(panel: Panel) {
  const { workspace, onWorkspace } = usePanelShared();
  const kept = panel.media?.step ?? null;
  const [moved, setMoved] = useState<{ step: number | null } | null>(null);
  const change = (changed: MediaSettings) => {
    setMoved(null);
    const step = moved === null ? {} : { step: moved.step ?? undefined };
    onWorkspace(withPanel(workspace, withMedia(panel, { ...step, ...changed })));
  };
  const keepStep = useEffectEvent(() => change({}));
  useEffect(() => {
    if (moved === null) return;
    const timer = setTimeout(keepStep, REST_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  return {
    size: panel.media?.size ?? USUAL_MEDIA.size,
    first: panel.media?.first ?? USUAL_MEDIA.first,
    step: moved === null ? kept : moved.step,
    /** Null: the newest. */
    chooseStep: (step: number | null) => setMoved({ step }),
    change,
  };
}

/** Fields of configurations to group by, and those that all runs have. */
const MOST_FIELDS = 40;
const PLAIN = ['seed', 'state', 'user'];
/** Entries of a run at a step. */
const COUNTS = [1, 4, 20] as const;

/** What runs have to look at under one name, side by side, each at its last step up to the one that the slider stands at. */
export function RunsMediaPanel({ panel, inSight }: PanelBodyProps) {
  const { workspace, onWorkspace, allSubjects, lit } = usePanelShared();
  const { cells, pages, error } = useMediaPage();
  const [name = ''] = panel.metrics;
  const { step: chosen, size, first, change, chooseStep } = useMediaSettings(panel);
  const litId = useStore(lit);
  const live = allSubjects.some(hasLive);
  const isFirst = pages === null || pages.page === 0;
  const all = useMemo(
    () => (isFirst ? allSubjects.flatMap(({ runs }) => runs.map(({ id }) => id)) : cells.map(({ run }) => run.id)),
    [isFirst, allSubjects, cells],
  );
  const steps = useMediaNames(all, live).data?.find((one) => one.name === name)?.steps ?? [];
  const runIds = useMemo(() => cells.map(({ run }) => run.id), [cells]);
  const found = useMediaAtStep({ runIds, name, step: chosen, first, enabled: inSight, live: live && chosen === null });
  const [field = null] = panel.fields;
  const offered = useMemo(
    () => [
      '',
      ...new Set([
        ...varyingFields(
          cells.map(({ run }) => run),
          MOST_FIELDS,
        ),
        ...PLAIN,
        ...panel.fields,
      ]),
    ],
    [cells, panel.fields],
  );
  const shown = cells.filter(({ run }) => found.data?.has(run.id));
  const groupBy = (chosenField: string) =>
    onWorkspace(withPanel(workspace, { ...panel, fields: chosenField === '' ? [] : [chosenField] }));
  return (
    <div className="runs-media">
      <div className="runs-media-tools">
        <StepSlider {...{ name, steps, chosen }} onChoose={chooseStep} />
        <Choice
          label="Grouped by"
          value={field ?? ''}
          options={offered}
          words={(one) => (one === '' ? 'nothing' : fieldTitle(one))}
          onChoose={groupBy}
        />
        <Choice
          label="Of each run"
          value={String(first)}
          options={[...new Set([...COUNTS, first])].sort((a, b) => a - b).map(String)}
          words={(count) => `first ${count}`}
          onChoose={(count) => change({ first: Number(count) })}
        />
        <Choice
          label="Size"
          value={size}
          options={MEDIA_SIZES}
          words={(one) => one}
          onChoose={(one) => change({ size: MEDIA_SIZES.find((known) => known === one) })}
        />
        {pages !== null && <Pages {...pages} />}
        {found.data !== undefined && (
          <span className="muted" aria-live="polite">
            {shown.length} of {formatCount(cells.length)} runs have it
          </span>
        )}
      </div>
      {(error ?? found.error) !== null && <p className="danger-text">{(error ?? found.error)?.message}</p>}
      {mediaGroups(shown, field).map((group) => (
        <section key={group.title} aria-label={group.title === '' ? name : `${name}, ${group.title}`}>
          {group.title !== '' && <h4>{group.title}</h4>}
          <div className="runs-media-grid" data-size={size}>
            {group.cells.map((cell) => (
              <Cell
                key={cell.run.id}
                {...{ name, cell, isLit: litId === cell.subject.id, hasCurve: isFirst }}
                media={found.data!.get(cell.run.id)!}
                onLit={(isLit) => lit.set(isLit ? cell.subject.id : null)}
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

interface CellProps {
  name: string;
  cell: MediaCell;
  media: MediaOfRun;
  isLit: boolean;
  /** Whether its curve stands in other panels: runs of later pages have none. */
  hasCurve: boolean;
  onLit(isLit: boolean): void;
}

function Cell({ name, cell: { subject, run, label }, media, isLit, hasCurve, onLit }: CellProps) {
  const { items, count, step } = media;
  const left = count - items.length;
  return (
    <div
      className={joinClasses('runs-media-cell', isLit && 'runs-media-lit')}
      onPointerEnter={() => onLit(true)}
      onPointerLeave={() => onLit(false)}
    >
      <div className="runs-media-head">
        {hasCurve && <LineKey style={subject.style} width={16} />}
        <Link to="/runs/$runId" params={{ runId: run.id }} title={label}>
          {label}
        </Link>
        <span className="muted">step {formatCount(step)}</span>
      </div>
      {items.map((item) => (
        <MediaItem key={item.id} item={item} label={`${name} of ${label}`} />
      ))}
      {left > 0 && <span className="muted">{left === 1 ? '1 more' : `${formatCount(left)} more`}</span>}
    </div>
  );
}

/** Which of all runs that match are shown, and the way to the others. */
function Pages({ page, count, before, total, goTo }: MediaPages) {
  return (
    <span className="row">
      <Button aria-label="Runs before" disabled={page === 0} onClick={() => goTo(page - 1)}>
        ‹
      </Button>
      <span aria-live="polite">
        page {page + 1} of {count}, from run {formatCount(before + 1)} of {formatCount(total)}
      </span>
      <Button aria-label="Further runs" disabled={page >= count - 1} onClick={() => goTo(page + 1)}>
        ›
      </Button>
    </span>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly string[];
  words(option: string): string;
  onChoose(option: string): void;
}

function Choice({ label, value, options, words, onChoose }: ChoiceProps) {
  return (
    <label className="check">
      <span className="muted">{label.toLowerCase()}</span>
      <select className="input" value={value} aria-label={label} onChange={({ target }) => onChoose(target.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {words(option)}
          </option>
        ))}
      </select>
    </label>
  );
}
