import { type ReactNode, useMemo, useRef } from 'react';
import type { RunGroupRow, RunGroupsInput } from './useRunGroups.ts';
import type { Store } from '#web/lib/store.ts';
import { useGroupSubjects } from '../workspace/useGroupSubjects.ts';
import { readWorkspace } from '../workspace/workspaceText.ts';
import { type CurveMarks, type ActOnCurve, useLitGroups } from './curveMarks.ts';
import type { RunsSearch } from './runsSearch.ts';
import { readLayoutName } from './tableLook.ts';
import { CurvesBeside } from './WithCurves.tsx';

export interface GroupsWithCurvesProps {
  input: RunGroupsInput;
  search: RunsSearch;
  onChange(changed: Partial<RunsSearch>): void;
  groups: readonly RunGroupRow[];
  labels: readonly string[];
  totalCount: number;
  lit: Store<string | null>;
  table(marks: CurveMarks, onCurve: ActOnCurve): ReactNode;
}

/** The table of groups, with a curve for each of its first groups beside it or instead of it. */
export function GroupsWithCurves(props: GroupsWithCurvesProps) {
  const { input, search, groups, labels } = props;
  const { project, filter, inTrash } = input;
  const workspace = useMemo(() => readWorkspace(search.workspace), [search.workspace]);
  const root = useRef<HTMLDivElement>(null);
  useLitGroups(root, props.lit);
  const ids = groups.map(({ id }) => id).join('\n');
  const asked = useMemo(() => {
    if (readLayoutName(search.layout) === 'table' || ids === '') return [];
    return ids
      .split('\n')
      .slice(0, workspace.curves)
      .map((group) => ({ project, filter, inTrash, group }));
  }, [search.layout, ids, workspace.curves, project, filter, inTrash]);
  const { subjects, runs } = useGroupSubjects(asked, labels);
  return (
    <div className="groups-beside" ref={root}>
      <CurvesBeside
        {...{ project, filter, inTrash, search, subjects, workspace, runs }}
        onChange={props.onChange}
        lit={props.lit}
        totalCount={props.totalCount}
        unit="groups"
        table={props.table}
        marksOf={({ id }) => [id]}
      />
    </div>
  );
}
