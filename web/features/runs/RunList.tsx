import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { ApiError, isNetworkError } from '#web/api/apiError.ts';
import { useRuns, type RunRow, type RunsQueryInput } from './useRuns.ts';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { writeList } from '#web/lib/listInUrl.ts';
import { metricOfColumn, textOfColumn } from '#web/lib/runColumn.ts';
import { createStore } from '#web/lib/store.ts';
import type { FirstRuns } from './columnChoice.ts';
import { withCondition } from './cellConditions.ts';
import { type ColumnLayout, layoutChange } from './columnLayout.ts';
import { firstRunsOf, firstRunsText } from './firstRuns.ts';
import { MatchingRuns } from './MatchingRuns.tsx';
import { readPins, togglePins, writePins } from './pinnedRuns.ts';
import { MOST_PINNED_RUNS } from '#src/base/contracts/pinnedRuns.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { isLive, isRetryable } from '#web/lib/runStates.ts';
import { useRunActions } from '../shared/useRunActions.tsx';
import { type RowSelection, useRowSelection } from './useRowSelection.ts';
import { RunsExport } from './RunsExport.tsx';
import { RunsTable } from './RunsTable.tsx';
import type { RunsSearch } from './runsSearch.ts';
import { firstSteps } from '../shared/firstSteps.ts';
import { WithCurves } from './WithCurves.tsx';

interface RunsActionBarProps {
  /** Runs that are loaded, for what is known of the selected ones. */
  runs: readonly RunRow[];
  selection: RowSelection;
  inTrash: boolean;
  onCompare(): void;
  /** Numbers of the runs that stand above all others. */
  pins: readonly number[];
  /** Pins runs, or takes their pins away where all of them have one. */
  onPin(numbers: readonly number[]): void;
}

/** What can be done with the selected runs; who only reads compares them. */
function RunsActionBar({ runs, selection, inTrash, onCompare, pins, onPin }: RunsActionBarProps) {
  const mayWrite = useMayWrite();
  const actions = useRunActions((action) => {
    if (action === 'delete' || action === 'restore') selection.set([]);
  });
  const ids = [...selection.selected];
  const known = runs.filter((run) => selection.selected.has(run.id));
  const unknown = ids.length > known.length;
  const some = (test: (run: RunRow) => boolean) => !actions.pending && (unknown || known.some(test));
  return (
    <div className="row runs-actions" role="toolbar" aria-label="Actions on selected runs">
      <span className={ids.length === 0 ? 'muted' : undefined} aria-live="polite">
        {ids.length === 0 ? 'None selected' : `${ids.length} selected`}
      </span>
      <Button disabled={ids.length < 1} aria-keyshortcuts="c" title="c in the rows does so, too" onClick={onCompare}>
        Compare
      </Button>
      {!inTrash && known.length > 0 && (
        <Button
          title={`${MOST_PINNED_RUNS} runs at most stand above all others, whatever the filter says`}
          onClick={() => onPin(known.map((run) => run.number))}
        >
          {known.every((run) => pins.includes(run.number)) ? 'Unpin' : 'Pin to the top'}
        </Button>
      )}
      {mayWrite && inTrash && (
        <Button disabled={!some((run) => run.deletedAt !== null)} onClick={() => actions.run('restore', ids)}>
          Restore
        </Button>
      )}
      {mayWrite && !inTrash && (
        <>
          <Button disabled={!some((run) => isLive(run.state))} onClick={() => actions.run('cancel', ids)}>
            Cancel
          </Button>
          <Button disabled={!some((run) => isRetryable(run.state))} onClick={() => actions.run('retry', ids)}>
            Retry
          </Button>
          <Button disabled={!some((run) => !isLive(run.state))} onClick={() => actions.run('delete', ids)}>
            Delete
          </Button>
        </>
      )}
      {ids.length > 0 && (
        <Button look="quiet" onClick={() => selection.set([])}>
          Select none
        </Button>
      )}
      {actions.dialog}
    </div>
  );
}

/** The pinned runs, whatever the filter leaves of the others, in the order of the table. */
function usePinnedRuns(pins: readonly number[], input: RunsQueryInput): readonly RunRow[] {
  const asked = useMemo(
    () => (pins.length === 0 ? null : { ...input, filter: `number in (${pins.join(', ')})` }),
    [pins, input],
  );
  const { data } = useRuns(asked);
  return useMemo(
    () => (asked === null ? [] : (data?.pages.flatMap(({ runs }) => runs.edges.map(({ node }) => node)) ?? [])),
    [asked, data],
  );
}

export interface RunListProps {
  project: string | null;
  filter: string;
  inTrash: boolean;
  layout: ColumnLayout;
  /** Metrics that become columns without a word where a run has them. */
  candidates: readonly string[];
  /** Paths of configurations in which runs differ. */
  varying: readonly string[];
  /** Told what the first runs have, which decides the columns. */
  onFirst(first: FirstRuns): void;
  search: RunsSearch;
  onChange(changed: Partial<RunsSearch>): void;
  /** What the API said is wrong with the filter; null when nothing is. */
  onFilterError(message: string | null): void;
}

/** Metrics that are read with the runs; those of further columns are read where they are seen. */
const MOST_EAGER = 40;
const NO_PINS: readonly number[] = [];

/** Run by run what matches, with what can be done with those that are selected. */
export function RunList(props: RunListProps) {
  const { project, filter, inTrash, layout, candidates, varying, search, onFirst, onChange, onFilterError } = props;
  const order = search.order ?? 'number';
  const direction = search.direction === 'asc' ? 'ASC' : 'DESC';
  const { columns } = layout;
  // by name, so that the runs are not read anew when a column moves
  const metrics = useMemo(
    () =>
      [...new Set([...candidates, ...columns.map(metricOfColumn).filter((name) => name !== null)])]
        .slice(0, MOST_EAGER)
        .sort(),
    [candidates, columns],
  );
  const withNotes = columns.includes('notes');
  const withHeadline = columns.includes('headline');
  const withTexts = columns.some((column) => textOfColumn(column) !== null);
  const input = useMemo(
    () =>
      ({ project, filter, orderBy: order, direction, inTrash, metrics, withNotes, withHeadline, withTexts }) as const,
    [project, filter, order, direction, inTrash, metrics, withNotes, withHeadline, withTexts],
  );
  const query = useRuns(input);
  const pins = useMemo(() => (inTrash ? NO_PINS : readPins(search.pins)), [inTrash, search.pins]);
  const pinned = usePinnedRuns(pins, input);
  const runs = useMemo(() => {
    const above = new Set(pinned.map((run) => run.id));
    const matching = query.data?.pages.flatMap((page) => page.runs.edges.map((edge) => edge.node)) ?? [];
    return [...pinned, ...matching.filter((run) => !above.has(run.id))];
  }, [query.data, pinned]);
  const first = useMemo(() => (runs.length === 0 ? null : firstRunsOf(runs, varying)), [runs, varying]);
  const firstText = first === null ? '' : firstRunsText(first);
  // before the table is painted, so that no column is seen to go
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs that change have the same to say most of the time
  useLayoutEffect(() => {
    if (first !== null) onFirst(first);
  }, [firstText, onFirst]);
  const rowOrder = useMemo(() => runs.map((run) => run.id), [runs]);
  const selection = useRowSelection(rowOrder);
  const { selected } = selection;
  const navigate = useNavigate();
  const onCompare = useCallback(() => {
    if (selected.size === 0) return;
    const numbers = new Map(runs.map((run) => [run.id, String(run.number)]));
    const compared = [...selected].map((id) => numbers.get(id) ?? id).join(',');
    void navigate({ to: '/compare', search: { runs: compared } });
  }, [selected, runs, navigate]);
  const cellActions = {
    onFilter: (condition: string) => onChange({ filter: withCondition(filter, condition) }),
    onGroup: (field: string) => onChange({ group: writeList([field]), baseline: undefined }),
    pins,
    onPin: (numbers: readonly number[]) => onChange({ pins: writePins(togglePins(pins, numbers)) }),
  };
  const [lit] = useState(() => createStore<string | null>(null));
  const filterError = query.error instanceof ApiError && query.error.path === 'filter' ? query.error.message : null;
  useEffect(() => {
    onFilterError(filterError);
    return () => onFilterError(null);
  }, [filterError, onFilterError]);
  const totalCount = query.data?.pages.at(-1)?.runs.totalCount ?? 0;
  const { hasNextPage, isFetching, fetchNextPage } = query;
  const onMore = useMemo(
    () => (hasNextPage && !isFetching ? () => void fetchNextPage() : null),
    [hasNextPage, isFetching, fetchNextPage],
  );
  return (
    <>
      <div className="row">
        <RunsActionBar {...{ runs, selection, inTrash, onCompare, pins }} onPin={cellActions.onPin} />
        <span className={joinClasses('muted', query.isPlaceholderData && 'runs-reading')} aria-live="polite">
          {query.isPlaceholderData
            ? 'reading …'
            : query.isSuccess && (totalCount === 1 ? '1 run' : `${formatCount(totalCount)} runs`)}
        </span>
        {totalCount > 0 && <RunsExport {...{ input, columns }} />}
        {totalCount > 0 && <MatchingRuns {...{ project, filter, inTrash, totalCount }} />}
      </div>
      {query.error !== null && filterError === null && !isNetworkError(query.error) && (
        <ErrorNotice title="The runs cannot be shown." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && query.error === null && <Loading what="runs" look="rows" lines={15} />}
      {query.isSuccess && totalCount === 0 && (
        <NoRuns hints={query.data.pages[0]?.runs.hints ?? []} {...{ filter, inTrash, project }} />
      )}
      {runs.length > 0 && (
        <WithCurves
          {...{ project, filter, inTrash, search, runs, totalCount, lit, onMore }}
          onChange={onChange}
          table={(marks, onCurve) => (
            <RunsTable
              runs={runs}
              marks={marks}
              onCurve={onCurve}
              lit={lit}
              {...{ metrics, inTrash, layout }}
              onLayout={(next) => onChange(layoutChange(layout, next))}
              totalCount={totalCount}
              order={order}
              direction={direction}
              onSort={(column, next) =>
                onChange({
                  order: column === 'number' ? undefined : column,
                  direction: next === 'ASC' ? 'asc' : undefined,
                })
              }
              cellActions={cellActions}
              selection={selection}
              onCompare={onCompare}
              onMore={onMore}
            />
          )}
        />
      )}
    </>
  );
}

function NoRuns({
  filter,
  hints,
  inTrash,
  project,
}: Pick<RunListProps, 'filter' | 'inTrash' | 'project'> & { hints: readonly string[] }) {
  if (filter !== '')
    return (
      <EmptyState title="No run matches this filter.">
        {hints.map((hint) => (
          <p key={hint}>{hint.charAt(0).toUpperCase() + hint.slice(1)}</p>
        ))}
      </EmptyState>
    );
  if (inTrash) return <EmptyState title="The trash is empty." />;
  return (
    <EmptyState title="No runs yet">
      <p>
        Log the first one from a program of yours, or <Link to="/new">queue one</Link> that Warren executes.
      </p>
      {firstSteps(location.origin, project)
        .slice(0, 2)
        .map((step) => (
          <CommandBox key={step.title} {...step} />
        ))}
    </EmptyState>
  );
}
