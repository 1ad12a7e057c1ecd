import { type ReactNode, useMemo, useState, useRef } from 'react';
import { shownGroups, type ShownGroups } from '#src/base/lib/shownGroups.ts';
import { groupRules, valuesText } from '#src/base/lib/valueRules.ts';
import { isNetworkError } from '#web/api/apiError.ts';
import { type RunGroupsInput, useRunGroups, useUnlikeData, type RunGroupRow } from './useRunGroups.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useNarrow } from '#web/components/useNarrow.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { useNavigate } from '@tanstack/react-router';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { fetchAllRuns } from './fetchAllRuns.ts';
import { showToast } from '#web/components/toasts.ts';
import { groupColumns } from './groupCells.ts';
import { type TableFormat, writeGroupedTable } from '#src/base/lib/groupedTable.ts';
import { copyText } from '#web/components/copyText.ts';
import { Popover } from '#web/components/Popover.tsx';
import { useStore } from '#web/api/useStore.ts';
import { density } from '#web/components/density.ts';
import { createStore, type Store } from '#web/lib/store.ts';
import { GroupRows } from './GroupRows.tsx';
import { GroupsHead } from './GroupsHead.tsx';
import { useGroupSubjects } from '../workspace/useGroupSubjects.ts';
import { readWorkspace } from '../workspace/workspaceText.ts';
import { type CurveMarks, type ActOnCurve, useLitGroups } from './curveMarks.ts';
import type { RunsSearch } from './runsSearch.ts';
import { readLayoutName } from './tableLook.ts';
import { CurvesBeside } from './WithCurves.tsx';
import { unlikeDataText } from '#src/base/lib/differingData.ts';
import type { UnlikeDataQuery } from '#web/generated/graphql.ts';
import './groupedRuns.css';

/** So many runs at most are compared. */
const MOST_COMPARED = 200;

interface CompareGroupsProps {
  input: RunGroupsInput;
  runCount: number;
  /** Hash of the configuration of the baseline, which stays the baseline; null where there is none. */
  baseline: string | null;
}

/** Compares the configurations of all runs that are grouped: tests, differences, curves. */
function CompareGroups({ input, runCount, baseline }: CompareGroupsProps) {
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  if (runCount < 2 || input.inTrash) return null;
  const tooMany = runCount > MOST_COMPARED;
  const compare = async () => {
    setPending(true);
    try {
      const { project, filter, inTrash } = input;
      const shown = { withNotes: false, withHeadline: false, withTexts: false };
      const order = { orderBy: 'number', direction: 'ASC' as const, metrics: [] };
      const runs = await fetchAllRuns({ project, filter, inTrash, ...order, ...shown });
      const first = runs.find(({ configuration }) => configuration.hash === baseline);
      await navigate({
        to: '/compare',
        search: { runs: runs.map(({ number }) => number).join(','), baseline: first && String(first.number) },
      });
    } catch (error) {
      showToast(coerceError(error).message, { error: true });
    }
    setPending(false);
  };
  return (
    <Button
      className="spread"
      disabled={pending || tooMany}
      title={tooMany ? `At most ${MOST_COMPARED} runs are compared: filter them` : undefined}
      onClick={() => void compare()}
    >
      Compare them
    </Button>
  );
}

interface GroupsWithCurvesProps {
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
function GroupsWithCurves(props: GroupsWithCurvesProps) {
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

const FORMATS: readonly { format: TableFormat; title: string; type: string; extension: string }[] = [
  { format: 'csv', title: 'CSV', type: 'text/csv', extension: 'csv' },
  { format: 'md', title: 'Markdown', type: 'text/markdown', extension: 'md' },
  { format: 'latex', title: 'LaTeX', type: 'text/x-tex', extension: 'tex' },
];

/** The grouped table for a paper, a report or a spreadsheet: copied, or saved as a file. */
function GroupExport({ table, complete }: { table: ShownGroups; complete: boolean }) {
  return (
    <div>
      <Popover label="Export" title="Export the groups">
        <div className="popover-body">
          {!complete && <p className="muted">Only the groups that are shown: show more first.</p>}
          {FORMATS.map(({ format, title, type, extension }) => (
            <div className="row" key={format}>
              <span className="groups-format">{title}</span>
              <Button
                aria-label={`Copy ${title}`}
                onClick={() => void copyText(writeGroupedTable(table, format), `${title} copied.`)}
              >
                Copy
              </Button>
              <a
                className="button"
                aria-label={`Save ${title}`}
                download={`groups.${extension}`}
                href={`data:${type};charset=utf-8,${encodeURIComponent(writeGroupedTable(table, format))}`}
              >
                Save
              </a>
            </div>
          ))}
        </div>
      </Popover>
    </div>
  );
}

/** Says of which metrics the groups do not compare, since their runs saw different data, and what the marks mean then. */
function UnlikeNotice({ found = [] }: { found: UnlikeDataQuery['unlikeData'] | undefined }) {
  const text = unlikeDataText(found);
  if (text === null) return null;
  return (
    <div className="notice">
      <p>
        <strong>Not comparable,</strong> for the runs differ in their data: {text}. Stars and verdicts stand among
        groups of the same data alone. A filter by <code>config.dataset.{found[0]?.fields[0]}</code> leaves runs of the
        same.
      </p>
    </div>
  );
}

export interface GroupedRunsProps {
  input: RunGroupsInput;
  search: RunsSearch;
  onChange(changed: Partial<RunsSearch>): void;
  /** Chooses which values of the runs the metrics are; told whether another value than the last stands for one of them. */
  values(hasRules: boolean): ReactNode;
  onSort(metric: number, direction: 'ASC' | 'DESC'): void;
  onBaseline(group: string | null): void;
}

/** All matching runs in groups: mean ± deviation of each metric, the best marked, and what the tests against a baseline show. */
export function GroupedRuns(props: GroupedRunsProps) {
  const { input, search, onChange, values, onSort, onBaseline } = props;
  const query = useRunGroups(input);
  const { data: unlike } = useUnlikeData(input);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rowDensity = useStore(density);
  const narrow = useNarrow();
  const [lit] = useState(() => createStore<string | null>(null));
  const groups = useMemo(
    () => query.data?.pages.flatMap((page) => page.runGroups.edges.map(({ node }) => node)) ?? [],
    [query.data],
  );
  const last = query.data?.pages.at(-1)?.runGroups;
  const names = groups[0]?.metrics.map(({ name }) => name) ?? [];
  const table = useMemo(
    () => shownGroups(groups, last?.fields ?? [], groups[0]?.metrics.map(({ name }) => name) ?? []),
    [groups, last],
  );
  const rules = useMemo(() => new Map(last?.metrics.map(({ name, summaryRules }) => [name, summaryRules])), [last]);
  const taken = valuesText(last?.metrics.flatMap(groupRules) ?? []);
  const hasRules = [...rules.values()].some((some) => some.length > 0);
  const sorted = input.orderBy?.metric ?? 0;
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };

  const numeric = useMemo(() => groupColumns(table).map(({ isNumeric }) => isNumeric), [table]);
  if (query.error !== null && !isNetworkError(query.error)) {
    return (
      <>
        {values(hasRules)}
        <ErrorNotice title="The runs cannot be grouped." error={query.error} onRetry={() => void query.refetch()} />
      </>
    );
  }
  if (last === undefined) return <Loading what="groups" look="rows" lines={10} />;
  if (groups.length === 0) return <EmptyState title="There are no runs to group." />;
  return (
    <>
      <div className="row groups-summary">
        {values(hasRules)}
        <span aria-live="polite">
          {formatCount(last.totalCount)} {last.totalCount === 1 ? 'group' : 'groups'} of {formatCount(last.runCount)}{' '}
          runs
        </span>
        <span className="muted">
          {names.length === 0 ? 'no metrics are shown' : `${taken}, mean ± standard deviation (n), over all that match`}
        </span>
        {input.baseline !== null && (
          <Button look="quiet" onClick={() => onBaseline(null)}>
            No baseline
          </Button>
        )}
        <CompareGroups
          {...{ input }}
          runCount={last.runCount}
          baseline={groups.find(({ isBaseline }) => isBaseline)?.configuration?.hash ?? null}
        />
        <GroupExport table={table} complete={!query.hasNextPage} />
      </div>
      <UnlikeNotice found={unlike} />
      <GroupsWithCurves
        {...{ input, search, onChange, groups, lit }}
        labels={table.labels}
        totalCount={last.totalCount}
        table={(marks, onCurve) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          <section data-density={rowDensity} className="groups-scroll panel" aria-label="Groups of runs" tabIndex={0}>
            <table className="table groups-table">
              <GroupsHead
                {...{ input, narrow, numeric, onSort }}
                heads={table.heads}
                metrics={groups[0]?.metrics ?? []}
                rules={rules}
              />
              <GroupRows
                {...{
                  groups,
                  table,
                  open,
                  onToggle: toggle,
                  input,
                  tested: sorted,
                  onBaseline,
                  marks,
                  onCurve,
                  lit,
                  narrow,
                }}
              />
            </table>
          </section>
        )}
      />
      {query.hasNextPage && (
        <Button disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
          Show more groups ({formatCount(last.totalCount - groups.length)} left)
        </Button>
      )}
    </>
  );
}
