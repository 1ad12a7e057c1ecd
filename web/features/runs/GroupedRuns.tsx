import { type ReactNode, useMemo, useState } from 'react';
import { shownGroups } from '#src/base/lib/shownGroups.ts';
import { groupRules, valuesText } from '#src/base/lib/valueRules.ts';
import { isNetworkError } from '#web/api/apiError.ts';
import { type RunGroupsInput, useRunGroups, useUnlikeData } from './useRunGroups.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useNarrow } from '#web/components/useNarrow.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { CompareGroups } from './CompareGroups.tsx';
import { groupColumns } from './groupCells.ts';
import { GroupExport } from './GroupExport.tsx';
import { useStore } from '#web/api/useStore.ts';
import { density } from '#web/components/density.ts';
import { createStore } from '#web/lib/store.ts';
import { GroupRows } from './GroupRows.tsx';
import { GroupsHead } from './GroupsHead.tsx';
import { GroupsWithCurves } from './GroupsWithCurves.tsx';
import type { RunsSearch } from './runsSearch.ts';
import { UnlikeNotice } from './UnlikeNotice.tsx';
import './groupedRuns.css';

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
