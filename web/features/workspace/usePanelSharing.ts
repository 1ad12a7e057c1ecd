import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Panel, Workspace } from '#src/base/contracts/workspace.ts';
import type { CurveStore } from '#web/features/metrics/curveStore.ts';
import type { SharedCursor } from '#web/charts/lines/LinePlot.tsx';
import { createStore, type Store } from '#web/lib/store.ts';
import type { CurveAct } from '../shared/CurveToggle.tsx';
import { withoutHidden } from './hiddenCurves.ts';
import { panelBlock } from './panelBlock.ts';
import type { PanelShared } from './panelContext.ts';
import type { Subject, SubjectRun, SubjectUnit } from './subjects.ts';

/** What panels share of the table whose curves they show. */
export interface SharedTable {
  workspace: Workspace;
  onWorkspace(workspace: Workspace): void;
  project: string | null;
  inTrash: boolean;
  subjects: readonly Subject[];
  /** Runs or groups that the table has, of which the subjects are the first. */
  totalCount: number;
  unit: SubjectUnit;
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
  /** Does something with the curve of a subject. */
  onCurve(subject: string, act: CurveAct): void;
}

/** What all panels share; the same until something of it changes. Null without a store. */
export function usePanelSharing(
  table: SharedTable,
  store: CurveStore | null,
  panels: Pick<PanelShared, 'onRemove' | 'metrics' | 'fields'>,
): PanelShared | null {
  const { workspace, onWorkspace, project, inTrash, subjects, totalCount, unit, runs } = table;
  const { filter, groupBy, order, isAscending, lit, onFilter, onCurve } = table;
  const { onRemove, metrics, fields } = panels;
  const navigate = useNavigate();
  const [cursor] = useState(() => createStore<SharedCursor | null>(null));
  const drawn = useMemo(
    () => ({ project, filter, groupBy, order, isAscending, drawn: subjects.length }),
    [project, filter, groupBy, order, isAscending, subjects.length],
  );
  const matching = useMemo(() => {
    if (unit !== 'runs') return undefined;
    const direction = isAscending ? ('ASC' as const) : ('DESC' as const);
    return { runs: { project, filter, orderBy: order ?? 'number', direction, inTrash }, totalCount };
  }, [unit, project, filter, order, isAscending, inTrash, totalCount]);
  return useMemo(
    () =>
      store === null
        ? null
        : {
            ...{ workspace, onWorkspace, onRemove, store, inTrash, lit, cursor, onFilter },
            ...withoutHidden(workspace, subjects, runs),
            ...{ allSubjects: subjects, onCurve, matching },
            blockOf: (panel: Panel) => panelBlock(panel, workspace, drawn),
            metrics,
            fields,
            onOpen: (id: string) => {
              const subject = subjects.find((one) => one.id === id);
              if (subject?.total === 1) void navigate({ to: '/runs/$runId', params: { runId: id } });
            },
          },
    [
      store,
      workspace,
      onWorkspace,
      onRemove,
      subjects,
      runs,
      inTrash,
      lit,
      cursor,
      onFilter,
      onCurve,
      metrics,
      fields,
      navigate,
      drawn,
      matching,
    ],
  );
}
