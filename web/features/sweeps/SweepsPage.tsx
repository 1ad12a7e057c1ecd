import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { useSweeps } from './useSweeps.ts';
import { Button } from '#web/components/Button.tsx';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { ProjectPicker } from '../runs/ProjectPicker.tsx';
import { pythonSweep } from '../shared/firstSteps.ts';
import { SweepTable } from './SweepTable.tsx';

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
