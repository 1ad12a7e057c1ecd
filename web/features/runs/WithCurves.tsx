import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo } from 'react';
import type { Workspace as WorkspaceSettings } from '#src/base/contracts/workspace.ts';
import type { RunRow } from './useRuns.ts';
import { Loading } from '#web/components/Loading.tsx';
import type { Store } from '#web/lib/store.ts';
import { readList } from '#web/lib/listInUrl.ts';
import type { CurveAct } from '../shared/CurveToggle.tsx';
import { coloredSubjects, nextColor } from '../workspace/curveColors.ts';
import { showAlone, toggleCurve } from '../workspace/hiddenCurves.ts';
import { SplitView } from '../workspace/SplitView.tsx';
import {
  type Subject,
  type SubjectRun,
  type SubjectUnit,
  subjectsOfReplicates,
  subjectsOfRuns,
} from '../workspace/subjects.ts';
import { useWorkspaceHistory } from '../workspace/useWorkspaceHistory.ts';
import { readWorkspace, writeWorkspace } from '../workspace/workspaceText.ts';
import { type CurveMarks, NO_MARKS, type ActOnCurve } from './curveMarks.ts';
import type { RunsSearch } from './runsSearch.ts';
import { readLayoutName, readShare } from './tableLook.ts';

const Workspace = lazy(async () => ({ default: (await import('../workspace/Workspace.tsx')).Workspace }));

export interface WithCurvesProps {
  project: string | null;
  filter: string;
  inTrash: boolean;
  search: RunsSearch;
  /** What the table has loaded, in its order. */
  runs: readonly RunRow[];
  totalCount: number;
  lit: Store<string | null>;
  onChange(changed: Partial<RunsSearch>): void;
  /** Asks for more runs; null: all are there, or on their way. */
  onMore?: (() => void) | null;
  table(marks: CurveMarks, onCurve: ActOnCurve): ReactNode;
}

/** Runs that panels without curves draw at most, of those that the table has loaded. */
const MOST_POINTS = 500;

/** The table of runs, with the curves of its first runs beside it or instead of it. */
export function WithCurves(props: WithCurvesProps) {
  const { search, runs, onMore } = props;
  const layout = readLayoutName(search.layout);
  const workspace = useMemo(() => readWorkspace(search.workspace), [search.workspace]);
  const isShown = layout !== 'table';
  // without the table nobody scrolls to the runs that lack
  const lacks = isShown && runs.length < workspace.curves;
  useEffect(() => {
    if (lacks) onMore?.();
  }, [lacks, onMore]);
  // by what curves need of runs, so that a changed progress draws nothing anew
  const key = isShown ? JSON.stringify(runs.map(({ id, name, state }) => [id, name, state])) : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the runs
  const stable: readonly SubjectRun[] = useMemo(() => (isShown ? runs : []), [key]);
  const subjects = useMemo(() => {
    const first = stable.slice(0, workspace.curves);
    return workspace.replicates ? subjectsOfReplicates(first) : subjectsOfRuns(first);
  }, [stable, workspace.curves, workspace.replicates]);
  const points = useMemo(() => stable.slice(0, MOST_POINTS), [stable]);
  return (
    <CurvesBeside
      {...props}
      {...{ subjects, workspace }}
      runs={points}
      unit={workspace.replicates ? 'configurations' : 'runs'}
      totalCount={workspace.replicates ? subjects.length : props.totalCount}
      marksOf={(subject) => subject.runs.map(({ id }) => id)}
    />
  );
}

export interface CurvesBesideProps extends Omit<WithCurvesProps, 'runs'> {
  workspace: WorkspaceSettings;
  subjects: readonly Subject[];
  runs: readonly SubjectRun[];
  unit: SubjectUnit;
  /** The rows of the table that a subject has. */
  marksOf(subject: Subject): readonly string[];
}

/** A table, its curves, or both. */
export function CurvesBeside(props: CurvesBesideProps) {
  const { project, filter, inTrash, search, totalCount, unit, runs, lit, onChange, table, marksOf } = props;
  const { workspace } = props;
  const { colorBy, colors } = workspace;
  const { subjects, keys: colorKeys } = useMemo(
    () => coloredSubjects(props.subjects, { colorBy, colors }),
    [props.subjects, colorBy, colors],
  );
  const layout = readLayoutName(search.layout);
  const write = useWorkspaceHistory({
    text: search.workspace,
    onText: (text) => onChange({ workspace: text }),
    active: layout !== 'table',
  });
  const onWorkspace = useCallback((next: WorkspaceSettings) => write(writeWorkspace(next)), [write]);
  const groupBy = useMemo(() => readList(search.group ?? ''), [search.group]);
  const onFilter = useCallback(
    (more: string) => onChange({ filter: filter === '' ? more : `(${filter}) and ${more}` }),
    [onChange, filter],
  );
  const onCurve = useCallback(
    (id: string, act: CurveAct) => {
      const all = subjects.map((subject) => subject.id);
      if (act === 'alone') onWorkspace(showAlone(workspace, id, all));
      else if (act === 'toggle') onWorkspace(toggleCurve(workspace, id));
      else onWorkspace(nextColor(workspace, id, props.subjects));
    },
    [workspace, onWorkspace, subjects, props.subjects],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: which rows a subject has does not change without the subjects
  const marks = useMemo(
    () =>
      new Map(
        subjects.flatMap((subject) => {
          const mark = { subject: subject.id, style: subject.style, isHidden: workspace.hidden.includes(subject.id) };
          return marksOf(subject).map((row) => [row, mark] as const);
        }),
      ),
    [subjects, workspace.hidden],
  );
  if (layout === 'table') return table(NO_MARKS, onCurve);
  const curves = (
    <Suspense fallback={<Loading what="curves" look="panels" />}>
      <Workspace
        {...{
          workspace,
          onWorkspace,
          project,
          inTrash,
          subjects,
          totalCount,
          unit,
          runs,
          filter,
          groupBy,
          lit,
          onFilter,
          onCurve,
          colorKeys,
        }}
        order={search.order ?? (search.direction === 'asc' ? 'number' : null)}
        isAscending={search.direction === 'asc'}
        withLegend={layout === 'curves'}
      />
    </Suspense>
  );
  if (layout === 'curves') return curves;
  return (
    <SplitView
      share={readShare(search.share)}
      onShare={(share) => onChange({ share: String(share) })}
      left={table(marks, onCurve)}
      right={curves}
    />
  );
}
