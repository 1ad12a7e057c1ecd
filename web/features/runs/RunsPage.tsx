import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ApiError, isNetworkError } from '#web/api/apiError.ts';
import { useCatalog } from '#web/api/useCatalog.ts';
import { useRunColumns } from '#web/api/useProjects.ts';
import { useRuns } from '#web/api/useRuns.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { writeList } from '#web/lib/listInUrl.ts';
import { metricOfColumn } from '#web/lib/runColumn.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { chooseColumns } from './columnChoice.ts';
import { FilterInput } from './FilterInput.tsx';
import { groupReplicates } from './groupReplicates.ts';
import { ProjectPicker } from './ProjectPicker.tsx';
import { RunsActionBar } from './RunsActionBar.tsx';
import { RunsTable } from './RunsTable.tsx';
import type { RunsSearch } from './runsSearch.ts';
import { useRowSelection } from './useRowSelection.ts';

const VIEWS = [
  { value: 'runs', label: 'Runs' },
  { value: 'replicates', label: 'Replicates' },
  { value: 'trash', label: 'Trash' },
] as const;

/** All runs of a project, or of all: filtered, ordered, live. What is shown stands in the address. */
export function RunsPage() {
  useTitle('Runs');
  const search = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const change = (changed: Partial<RunsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });

  const project = search.project ?? null;
  const filter = search.filter ?? '';
  const order = search.order ?? 'number';
  const direction = search.direction === 'asc' ? 'ASC' : 'DESC';
  const view = search.view ?? 'runs';
  const { data: available } = useRunColumns(project);
  const { data: kinds } = useCatalog();
  const columns = useMemo(() => chooseColumns(search.columns, available, kinds), [search.columns, available, kinds]);
  const metrics = useMemo(() => columns.map(metricOfColumn).filter((name) => name !== null), [columns]);
  const input = useMemo(
    () => ({ project, filter, orderBy: order, direction, inTrash: view === 'trash', metrics }) as const,
    [project, filter, order, direction, view, metrics],
  );
  const query = useRuns(input);
  const runs = useMemo(
    () => query.data?.pages.flatMap((page) => page.runs.edges.map((edge) => edge.node)) ?? [],
    [query.data],
  );
  const items = useMemo(() => groupReplicates(runs, view === 'replicates'), [runs, view]);
  const rowOrder = useMemo(() => items.flatMap((item) => (item.type === 'run' ? [item.run.id] : [])), [items]);
  const selection = useRowSelection(rowOrder);
  const filterError = query.error instanceof ApiError && query.error.path === 'filter' ? query.error.message : null;
  const totalCount = query.data?.pages.at(-1)?.runs.totalCount ?? 0;
  const onMore = query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : null;

  return (
    <div className="page page-full">
      <div className="page-head">
        <h1>Runs</h1>
        <ProjectPicker project={project} onChange={(name) => change({ project: name ?? undefined })} />
        <Segments
          label="View"
          options={VIEWS}
          value={view}
          onChange={(next) => change({ view: next === 'runs' ? undefined : next })}
        />
        <span className="muted" aria-live="polite">
          {query.isSuccess && (totalCount === 1 ? '1 run' : `${formatCount(totalCount)} runs`)}
          {view === 'replicates' && runs.length < totalCount && `, groups over the ${runs.length} loaded`}
        </span>
        <Link className="button button-primary spread" to="/new" search={project === null ? {} : { project }}>
          New run
        </Link>
      </div>
      <div className="page-head runs-tools">
        <FilterInput
          filter={filter}
          error={filterError}
          onApply={(next) => change({ filter: next === '' ? undefined : next })}
        />
        <ColumnChooser
          project={project}
          columns={columns}
          onChange={(next) => change({ columns: writeList(next) })}
          onReset={() => change({ columns: undefined })}
        />
      </div>
      <RunsActionBar runs={runs} selection={selection} inTrash={view === 'trash'} />
      {query.error !== null && filterError === null && !isNetworkError(query.error) && (
        <ErrorNotice title="The runs cannot be shown." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && query.error === null && <Loading what="runs" />}
      {query.isSuccess && items.length === 0 && <NoRuns filtered={filter !== ''} inTrash={view === 'trash'} />}
      {items.length > 0 && (
        <RunsTable
          items={items}
          columns={columns}
          totalCount={totalCount}
          order={order}
          direction={direction}
          onSort={(column, next) =>
            change({ order: column === 'number' ? undefined : column, direction: next === 'ASC' ? 'asc' : undefined })
          }
          selection={selection}
          onMore={onMore}
        />
      )}
    </div>
  );
}

function NoRuns({ filtered, inTrash }: { filtered: boolean; inTrash: boolean }) {
  if (filtered) return <EmptyState title="No run matches this filter." />;
  if (inTrash) return <EmptyState title="The trash is empty." />;
  return (
    <EmptyState title="No runs yet">
      <p>
        <Link to="/new">Queue the first one</Link>, or from a terminal: <code>npm run -s warren -- run overrec</code>
      </p>
    </EmptyState>
  );
}
