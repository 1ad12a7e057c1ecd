import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { SweepChangedDocument, type SweepRowFragment, SweepsDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';
import { Button } from '#web/components/Button.tsx';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { ProjectPicker } from '../runs/ProjectPicker.tsx';
import { pythonSweep } from '../shared/firstSteps.ts';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { datasetText, readSweepDefinition } from './sweepDefinition.ts';
import { DIGITS } from '#web/lib/valueAxis.ts';
import './sweeps.css';

type SweepRow = SweepRowFragment;

const PAGE_SIZE = 50;
/** New sweeps are looked for this often; those under way tell of themselves. */
const POLL_MS = 10_000;
/** So many that go on are followed, the newest. */
const MOST_FOLLOWED = 20;

/** Sweeps of a project or of all, newest first; those under way are kept current by `sweepChanged`. */
function useSweeps(project: string | null) {
  const queryClient = useQueryClient();
  const key = useMemo(() => ['sweeps', project] as const, [project]);
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) =>
      (await request(SweepsDocument, { project, first: PAGE_SIZE, before: pageParam }, signal)).sweeps,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : (page.at(-1)?.number ?? null)),
    refetchInterval: POLL_MS,
  });
  const sweeps = useMemo(() => query.data?.pages.flat() ?? [], [query.data]);
  const followed = sweeps
    .filter(({ endedAt }) => endedAt === null)
    .slice(0, MOST_FOLLOWED)
    .map(({ id }) => id)
    .join(' ');

  useEffect(() => {
    const stops = followed.split(' ').map((id) =>
      id === ''
        ? () => {}
        : subscribe(SweepChangedDocument, () => ({ id }), {
            onData: ({ sweepChanged }) =>
              queryClient.setQueryData<typeof query.data>(key, (data) =>
                data === undefined
                  ? data
                  : {
                      ...data,
                      pages: data.pages.map((page) => page.map((row) => (row.id === id ? sweepChanged : row))),
                    },
              ),
            onReconnect: () => void queryClient.invalidateQueries({ queryKey: key }),
          }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [followed, key, queryClient]);

  return { ...query, sweeps };
}

function SweepTable({ sweeps }: { sweeps: readonly SweepRow[] }) {
  return (
    <section
      className="panel table-scroll"
      aria-label="Sweeps table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className="table sweeps-table">
        <thead>
          <tr>
            <th scope="col" className="number">
              #
            </th>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Trials</th>
            <th scope="col" className="number">
              Best
            </th>
            <th scope="col">Objective</th>
            <th scope="col">Kind</th>
            <th scope="col">Dataset</th>
            <th scope="col">Sampler</th>
            <th scope="col">Project</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {sweeps.map((sweep) => (
            <SweepLine key={sweep.id} sweep={sweep} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SweepLine({ sweep }: { sweep: SweepRow }) {
  const definition = readSweepDefinition(sweep.definition);
  const objective = sweep.best?.objective;
  return (
    <tr>
      <td className="number">{sweep.number}</td>
      <th scope="row">
        <Link to="/sweeps/$sweepId" params={{ sweepId: String(sweep.number) }}>
          {sweep.name}
        </Link>
      </th>
      <td title={sweep.reason === '' ? undefined : sweep.reason}>
        <StateBadge state={sweep.state} />
      </td>
      <td>
        <Trials sweep={sweep} />
      </td>
      <td className="number">
        {objective === null || objective === undefined ? '–' : formatNumber(toNumber(objective), DIGITS)}
      </td>
      <td>
        {definition?.metric == null
          ? '–'
          : `${definition.metric.goal === 'minimize' ? '↓' : '↑'} ${definition.metric.name}`}
      </td>
      <td>{definition?.kind ?? '–'}</td>
      <td>{datasetText(definition?.dataset) ?? '–'}</td>
      <td>{definition?.method ?? '–'}</td>
      <td>{sweep.project.name}</td>
      <td>
        <TimeText time={sweep.createdAt} />
      </td>
    </tr>
  );
}

function Trials({ sweep }: { sweep: SweepRow }) {
  const { total, running, failed, planned } = sweep.counts;
  const done = total - running;
  const words = `${formatCount(done)}${planned === null ? '' : ` of ${formatCount(planned)}`}`;
  return (
    <span className="sweeps-trials">
      {planned !== null && (
        <ProgressBar
          fraction={planned === 0 ? 1 : done / planned}
          label={`Trials of sweep ${sweep.number} that have ended`}
          look={sweep.state === 'RUNNING' ? 'running' : sweep.state === 'FINISHED' ? 'done' : 'stopped'}
        />
      )}
      <span>{words}</span>
      {failed > 0 && <span className="danger-text">{formatCount(failed)} failed</span>}
    </span>
  );
}

/** The sweeps of a project, or of all, newest first, live. */
export function SweepsPage() {
  useTitle('Sweeps');
  const { project = null } = useSearch({ from: '/sweeps/' });
  const navigate = useNavigate({ from: '/sweeps/' });
  const { sweeps, error, isPending, isSuccess, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useSweeps(project);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Sweeps</h1>
        <ProjectPicker
          project={project}
          onChange={(name) => void navigate({ search: name === null ? {} : { project: name }, replace: true })}
        />
        <Link className="spread" to="/decisions" search={project === null ? {} : { project }}>
          Adaptive comparisons
        </Link>
        <Link className="button button-primary" to="/sweeps/new" search={project === null ? {} : { project }}>
          New sweep
        </Link>
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The sweeps cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {isPending && error === null && <Loading what="sweeps" look="rows" />}
      {isSuccess && sweeps.length === 0 && (
        <EmptyState title="No sweeps yet">
          <p>
            A sweep looks for good parameters by itself. <Link to="/sweeps/new">Start the first one</Link>, or from a
            terminal: <code>npm run -s warren -- sweep create sweep.yaml --kind item-knn</code>
          </p>
          <CommandBox {...pythonSweep(location.origin, project)} />
        </EmptyState>
      )}
      {sweeps.length > 0 && <SweepTable sweeps={sweeps} />}
      {hasNextPage && (
        <div className="row">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Earlier sweeps
          </Button>
        </div>
      )}
    </div>
  );
}
