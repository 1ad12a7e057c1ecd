import { useDeferredValue, useMemo, useState } from 'react';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { usePrimaryMetrics } from '#web/features/metrics/usePrimaryMetrics.ts';
import { useCurveNames, useCurveStore } from '#web/features/metrics/useCurves.ts';
import { useMediaNames } from '#web/features/media/useMediaOfRuns.ts';
import { useStore } from '#web/api/useStore.ts';
import { Loading } from '#web/components/Loading.tsx';
import type { Store } from '#web/lib/store.ts';
import { ColorKeys } from './ColorChoice.tsx';
import type { ColorKey } from './curveColors.ts';
import { PanelContext, usePanelShared } from './panelContext.ts';
import { sectionsOf, movePanel, type Section, toggleSection, withPanel } from './sections.ts';
import { hasLive } from './subjects.ts';
import { SubjectLegend } from './SubjectLegend.tsx';
import { type SharedTable, usePanelSharing } from './usePanelSharing.ts';
import { useRemoval } from './useRemoval.ts';
import type { Panel } from '#src/base/contracts/workspace.ts';
import { Button } from '#web/components/Button.tsx';
import { PanelCard } from './PanelCard.tsx';
import { WorkspaceTools } from './WorkspaceTools.tsx';
import './workspace.css';

const FIRST_PANELS = 24;

/** Panels under one head, which folds them. */
function WorkspaceSection({ section }: { section: Section }) {
  const { workspace, onWorkspace, onRemove } = usePanelShared();
  const [shown, setShown] = useState(FIRST_PANELS);
  const [full, setFull] = useState<string | null>(null);
  const { name, panels, isOpen } = section;
  // one or two leave no empty place beside them, unless somebody has given them a size
  const few = panels.length <= 2 && panels.every(({ width }) => width === 1) ? panels.length : undefined;
  const place = (id: string) => panels.findIndex((panel) => panel.id === id);
  const stepTo = (panel: Panel | undefined) =>
    panel === undefined
      ? null
      : () => {
          setShown((before) => Math.max(before, place(panel.id) + 1));
          setFull(panel.id);
        };
  return (
    <section className="workspace-section" aria-label={`Panels of ${name}`}>
      <h2 className="workspace-section-head">
        <button type="button" aria-expanded={isOpen} onClick={() => onWorkspace(toggleSection(workspace, name))}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name}
        </button>
        <span className="muted">{panels.length === 1 ? '1 panel' : `${panels.length} panels`}</span>
      </h2>
      {isOpen && (
        <div className="workspace-grid" data-few={few}>
          {panels.slice(0, shown).map((panel, index) => (
            <PanelCard
              key={panel.id}
              panel={panel}
              isFull={panel.id === full}
              onFull={(isFull) => setFull(isFull ? panel.id : null)}
              onStep={{ previous: stepTo(panels[index - 1]), next: stepTo(panels[index + 1]) }}
              onPanel={(changed) => onWorkspace(withPanel(workspace, changed))}
              onMove={(steps) =>
                onWorkspace(movePanel(workspace, section, { id: panel.id, to: place(panel.id) + steps }))
              }
              onDrop={(id) => {
                if (place(id) !== -1) onWorkspace(movePanel(workspace, section, { id, to: place(panel.id) }));
              }}
              onRemove={() => onRemove(panel)}
            />
          ))}
        </div>
      )}
      {isOpen && panels.length > shown && (
        <Button onClick={() => setShown(shown + FIRST_PANELS)}>Show more panels ({panels.length - shown} left)</Button>
      )}
    </section>
  );
}

export interface WorkspaceProps extends SharedTable {
  /** What the colors of the curves stand for; empty where each curve has its own. */
  colorKeys: readonly ColorKey[];
  /** Beside the table its marks name the curves; without it a legend does. */
  withLegend: boolean;
}

const NO_COLUMNS = { metrics: [], configuration: [] };
const NO_NAMES: readonly { name: string; runCount: number; isAxis: boolean }[] = [];

/** The curves of what the table shows, live: a panel for each metric and those that were added, in sections. */
export function Workspace(props: WorkspaceProps) {
  const { workspace, onWorkspace, project, subjects, totalCount, unit, runs, lit, onCurve } = props;
  const followed = useMemo(
    () => subjects.flatMap((subject) => subject.runs.map(({ id }) => ({ id, isLive: hasLive(subject) }))),
    [subjects],
  );
  const store = useCurveStore(followed);
  const runIds = useMemo(() => followed.map(({ id }) => id), [followed]);
  const isLive = followed.some((run) => run.isLive);
  const query = useCurveNames(runIds, isLive);
  const { data: media } = useMediaNames(runIds, isLive);
  const { data: { metrics, configuration: fields } = NO_COLUMNS } = useRunColumns(project);
  const primaries = usePrimaryMetrics(runs);
  const { remove, bringAllBack } = useRemoval(workspace, onWorkspace);
  const [wanted, setWanted] = useState('');
  const words = useDeferredValue(wanted.trim());
  const names = query.data ?? NO_NAMES;
  const sections = useMemo(() => {
    const named = (list: readonly { name: string }[]) => list.map(({ name }) => name);
    const single = named(names.filter(({ runCount }) => runCount === 0));
    const curves = named(names.filter(({ runCount }) => runCount > 0));
    const primary = [...curves, ...single].find((name) => primaries.has(name)) ?? null;
    const counters = named(names.filter(({ isAxis }) => isAxis));
    return sectionsOf(curves, workspace, { words, primary, single, counters, media: named(media ?? []) });
  }, [names, media, workspace, words, primaries]);
  const shared = usePanelSharing(props, store, { onRemove: remove, metrics, fields });
  return (
    <div className="workspace">
      <WorkspaceTools
        {...{ workspace, onWorkspace, unit, subjects, totalCount, runs, metrics, fields }}
        search={wanted}
        onSearch={setWanted}
        onBringBack={bringAllBack}
      />
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

function StoreProblem({ problem }: { problem: Store<unknown> }) {
  const error = useStore(problem);
  if (error === null) return null;
  return (
    <p className="danger-text" role="alert">
      The curves cannot be read: {error instanceof Error ? error.message : String(error)}
    </p>
  );
}
