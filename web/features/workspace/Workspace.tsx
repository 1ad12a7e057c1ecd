import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { CURVE_COUNTS, type Panel, type Workspace as WorkspaceSettings } from '#src/contracts/workspace.ts';
import { useRunColumns } from '#web/api/useProjects.ts';
import { usePrimaryMetrics } from '#web/api/usePrimaryMetrics.ts';
import { useCurveNames, useCurveStore } from '#web/api/useCurves.ts';
import { useMediaNames } from '#web/api/useMediaOfRuns.ts';
import { useStore } from '#web/api/useStore.ts';
import type { SharedCursor } from '#web/charts/lines/LinePlot.tsx';
import { Button } from '#web/components/Button.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Popover } from '#web/components/Popover.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { createStore, type Store } from '#web/lib/store.ts';
import type { CurveAct } from '../shared/CurveToggle.tsx';
import { AddPanel } from './AddPanel.tsx';
import { ColorChoice, ColorKeys } from './ColorChoice.tsx';
import type { ColorKey } from './curveColors.ts';
import { fullSettings } from './curveSettings.ts';
import { withoutHidden } from './hiddenCurves.ts';
import { panelBlock } from './panelBlock.ts';
import { PanelContext } from './panelContext.ts';
import { PanelSettings } from './PanelSettings.tsx';
import { sectionsOf } from './sections.ts';
import { hasLive, type Subject, type SubjectRun } from './subjects.ts';
import { SubjectLegend } from './SubjectLegend.tsx';
import { useRemoval } from './useRemoval.ts';
import { WorkspaceSection } from './WorkspaceSection.tsx';
import './workspace.css';

export interface WorkspaceProps {
  workspace: WorkspaceSettings;
  onWorkspace(workspace: WorkspaceSettings): void;
  project: string | null;
  inTrash: boolean;
  subjects: readonly Subject[];
  /** Runs or groups that the table has, of which the subjects are the first. */
  totalCount: number;
  /** What the subjects are, in words. */
  unit: 'runs' | 'groups' | 'configurations';
  runs: readonly SubjectRun[];
  /** What the table shows: the filter of its runs, and the fields that it groups by. */
  filter: string;
  groupBy: readonly string[];
  /** The column by which it is ordered; null: as without a word. */
  order: string | null;
  isAscending: boolean;
  lit: Store<string | null>;
  /** Narrows the table by a filter, beside the one that it has. */
  onFilter(filter: string): void;
  /** What the colors of the curves stand for; empty where each curve has its own. */
  colorKeys: readonly ColorKey[];
  /** Does something with the curve of a subject. */
  onCurve(subject: string, act: CurveAct): void;
  /** Beside the table its marks name the curves; without it a legend does. */
  withLegend: boolean;
}

const NO_NAMES: readonly { name: string; runCount: number }[] = [];

/** The curves of what the table shows, live: a panel for each metric and those that were added, in sections. */
export function Workspace(props: WorkspaceProps) {
  const { workspace, onWorkspace, project, inTrash, subjects, unit, runs, lit, onFilter, onCurve } = props;
  const { filter, groupBy, order, isAscending, totalCount } = props;
  const navigate = useNavigate();
  const followed = useMemo(
    () => subjects.flatMap((subject) => subject.runs.map(({ id }) => ({ id, isLive: hasLive(subject) }))),
    [subjects],
  );
  const store = useCurveStore(followed);
  const runIds = useMemo(() => followed.map(({ id }) => id), [followed]);
  const isLive = followed.some((run) => run.isLive);
  const query = useCurveNames(runIds, isLive);
  const { data: media } = useMediaNames(runIds, isLive);
  const { data: columns } = useRunColumns(project);
  const primaries = usePrimaryMetrics(runs);
  const { remove, bringAllBack } = useRemoval(workspace, onWorkspace);
  const [cursor] = useState(() => createStore<SharedCursor | null>(null));
  const [wanted, setWanted] = useState('');
  const words = useDeferredValue(wanted.trim());
  const names = query.data ?? NO_NAMES;
  const sections = useMemo(() => {
    const named = (list: readonly { name: string }[]) => list.map(({ name }) => name);
    const single = named(names.filter(({ runCount }) => runCount === 0));
    const curves = named(names.filter(({ runCount }) => runCount > 0));
    const primary = [...curves, ...single].find((name) => primaries.has(name)) ?? null;
    return sectionsOf(curves, workspace, { words, primary, single, media: named(media ?? []) });
  }, [names, media, workspace, words, primaries]);
  const drawn = useMemo(
    () => ({ project, filter, groupBy, order, isAscending, drawn: subjects.length }),
    [project, filter, groupBy, order, isAscending, subjects.length],
  );
  const matching = useMemo(() => {
    if (unit !== 'runs') return undefined;
    const direction = isAscending ? ('ASC' as const) : ('DESC' as const);
    return { runs: { project, filter, orderBy: order ?? 'number', direction, inTrash }, totalCount };
  }, [unit, project, filter, order, isAscending, inTrash, totalCount]);
  const shared = useMemo(
    () =>
      store === null
        ? null
        : {
            ...{ workspace, onWorkspace, onRemove: remove, store, inTrash, lit, cursor, onFilter },
            ...withoutHidden(workspace, subjects, runs),
            ...{ allSubjects: subjects, onCurve, matching },
            blockOf: (panel: Panel) => panelBlock(panel, workspace, drawn),
            metrics: columns?.metrics ?? [],
            fields: columns?.configuration ?? [],
            onOpen: (id: string) => {
              const subject = subjects.find((one) => one.id === id);
              if (subject?.total === 1) void navigate({ to: '/runs/$runId', params: { runId: id } });
            },
          },
    [
      store,
      workspace,
      onWorkspace,
      remove,
      subjects,
      runs,
      inTrash,
      lit,
      cursor,
      onFilter,
      onCurve,
      columns,
      navigate,
      drawn,
      matching,
    ],
  );
  const hiddenCount = subjects.filter(({ id }) => workspace.hidden.includes(id)).length;
  return (
    <div className="workspace">
      <div className="row workspace-tools">
        <input
          className="input workspace-search"
          type="search"
          aria-label="Find panels"
          placeholder="Find panels"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
        <label className="check">
          <span className="muted">first</span>
          <select
            className="input"
            aria-label={`How many ${unit} have curves`}
            value={workspace.curves}
            onChange={({ target }) => onWorkspace({ ...workspace, curves: Number(target.value) })}
          >
            {[...new Set([...CURVE_COUNTS, workspace.curves])]
              .sort((a, b) => a - b)
              .map((count) => (
                <option key={count} value={count}>
                  {count}
                </option>
              ))}
          </select>
          <span className="muted" aria-live="polite">
            {shownWords(props)}
          </span>
        </label>
        {unit !== 'groups' && (
          <label className="check">
            <input
              type="checkbox"
              checked={workspace.replicates}
              onChange={({ target }) => onWorkspace({ ...workspace, replicates: target.checked })}
            />
            replicates as one
          </label>
        )}
        <ColorChoice
          colorBy={workspace.colorBy}
          runs={props.runs}
          onChange={(colorBy) => onWorkspace({ ...workspace, colorBy })}
        />
        <span className="spread" />
        <AddPanel
          metrics={columns?.metrics ?? []}
          fields={columns?.configuration ?? []}
          taken={workspace.panels.map(({ id }) => id)}
          onAdd={(panel) => onWorkspace({ ...workspace, panels: [...workspace.panels, panel] })}
        />
        <Popover label="Settings" name="Settings of all panels" title="Settings of all panels">
          <PanelSettings
            settings={workspace.settings}
            full={fullSettings(workspace.settings, {})}
            metrics={columns?.metrics ?? []}
            withRanges={false}
            onChange={(settings) => onWorkspace({ ...workspace, settings })}
          />
        </Popover>
        {hiddenCount > 0 && (
          <Button look="quiet" onClick={() => onWorkspace({ ...workspace, hidden: [] })}>
            Show {hiddenCount === 1 ? '1 hidden curve' : `${hiddenCount} hidden curves`}
          </Button>
        )}
        {workspace.removed.length > 0 && (
          <Button look="quiet" onClick={bringAllBack}>
            Bring back {workspace.removed.length} removed
          </Button>
        )}
      </div>
      {props.colorKeys.length > 0 && <ColorKeys keys={props.colorKeys} />}
      {props.withLegend && <SubjectLegend {...{ subjects, lit }} hidden={workspace.hidden} onCurve={onCurve} />}
      {store !== null && <StoreProblem problem={store.problem} />}
      {query.isPending && subjects.length > 0 ? (
        <Loading what="curves" look="panels" />
      ) : (
        shared !== null && (
          <PanelContext.Provider value={shared}>
            {sections.map((section) => (
              <WorkspaceSection key={section.name} section={section} />
            ))}
            {sections.length === 0 && (
              <p className="muted">
                {words === ''
                  ? 'None of these has a metric, or something to look at, yet.'
                  : 'No panel has these words.'}
              </p>
            )}
          </PanelContext.Provider>
        )
      )}
    </div>
  );
}

function shownWords({ subjects, totalCount, unit }: WorkspaceProps): string {
  if (unit === 'configurations') return `runs, ${subjects.length} configurations`;
  return subjects.length < totalCount
    ? `${subjects.length} of ${formatCount(totalCount)} ${unit} shown`
    : totalCount === 1
      ? `1 ${unit.replace(/s$/, '')} shown`
      : `all ${formatCount(totalCount)} ${unit} shown`;
}

function StoreProblem({ problem }: { problem: Store<unknown> }) {
  const error = useStore(problem);
  if (error === null) return null;
  return (
    <p className="danger-text" role="alert">
      The curves cannot be read: {error instanceof Error ? error.message : String(error)}
    </p>
  );
}
