import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { betterText, type DecisionRow, useDecisions } from './useDecision.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { ProjectPicker } from '../runs/ProjectPicker.tsx';

/** The adaptive comparisons of a project, or of all, newest first. */
export function DecisionsPage() {
  useTitle('Adaptive comparisons');
  const { project = null } = useSearch({ from: '/decisions/' });
  const navigate = useNavigate({ from: '/decisions/' });
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useDecisions(project);
  const decisions = data?.pages.flat() ?? [];
  return (
    <div className="page">
      <div className="page-head">
        <h1>Adaptive comparisons</h1>
        <ProjectPicker
          project={project}
          onChange={(name) => void navigate({ search: name === null ? {} : { project: name }, replace: true })}
        />
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The comparisons cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {isPending && error === null && <Loading what="comparisons" />}
      {data !== undefined && decisions.length === 0 && (
        <EmptyState title="No adaptive comparisons yet">
          <p>
            One runs seeds of two configurations in pairs until it is known which is better. Start it where two
            configurations are compared, or from a terminal:{' '}
            <code>npm run -s warren -- compare 1 2 --decide test/ndcg@10</code>
          </p>
        </EmptyState>
      )}
      {decisions.length > 0 && <DecisionTable decisions={decisions} />}
      {hasNextPage && (
        <div className="row">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Earlier comparisons
          </Button>
        </div>
      )}
    </div>
  );
}

function DecisionTable({ decisions }: { decisions: readonly DecisionRow[] }) {
  return (
    <section
      className="panel table-scroll"
      aria-label="Adaptive comparisons table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="number">
              #
            </th>
            <th scope="col">Configurations</th>
            <th scope="col">Metric</th>
            <th scope="col">State</th>
            <th scope="col">Outcome</th>
            <th scope="col" className="number">
              Pairs
            </th>
            <th scope="col">Project</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {decisions.map((decision) => (
            <DecisionLine key={decision.id} decision={decision} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function DecisionLine({ decision }: { decision: DecisionRow }) {
  const { number, a, b, metric, state, reason, pairs, atMost, project, createdAt } = decision;
  const done = pairs.filter(({ valueA, valueB }) => valueA !== null && valueB !== null).length;
  return (
    <tr>
      <td className="number">{number}</td>
      <th scope="row">
        <Link to="/decisions/$decisionId" params={{ decisionId: String(number) }}>
          {a.label} or {b.label}
        </Link>
      </th>
      <td>{metric}</td>
      <td>
        <StateBadge state={state} />
      </td>
      <td>{betterText(decision) || reason || '–'}</td>
      <td className="number">
        {formatCount(done)} of {formatCount(atMost)}
      </td>
      <td>{project.name}</td>
      <td>
        <TimeText time={createdAt} />
      </td>
    </tr>
  );
}
