import { isNetworkError } from '#web/api/apiError.ts';
import { useAdministration } from './useAdministration.ts';
import { useServer } from './useServer.ts';
import { useStorage } from '#web/features/shared/useStorage.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { roleName } from '#web/lib/roles.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { StorageSection } from '../shared/StorageSection.tsx';
import { ChangesSection } from './ChangesSection.tsx';
import { HealthSection } from './HealthSection.tsx';
import { ProjectSizes, SlowWorkTable, TableSizes } from './SizeTables.tsx';
import { TokensSection } from './TokensSection.tsx';
import { TrashSection } from './TrashSection.tsx';
import { UsersSection } from './UsersSection.tsx';
import './admin.css';

/** How the server is, and what an administrator does about it. */
export function AdminPage() {
  useTitle('Administration');
  const role = useServer().data?.role;
  if (role === undefined) return <Loading what="the server" />;
  if (role !== 'ADMIN' && role !== 'none') {
    return (
      <div className="page">
        <h1>Administration</h1>
        <EmptyState title="This page is for administrators">
          <p>
            Your role here: {roleName(role === 'WRITE' ? 'WRITE' : 'READ')}. It needs the role {roleName('ADMIN')} in
            all projects.
          </p>
        </EmptyState>
      </div>
    );
  }
  return <Overview />;
}

function Overview() {
  const { data, error, isPending, refetch } = useAdministration();
  const { data: storage } = useStorage();
  return (
    <div className="page">
      <h1>Administration</h1>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The server cannot be looked at." error={error} onRetry={() => void refetch()} />
      )}
      {isPending && error === null && <Loading what="the server" />}
      {data !== undefined && (
        <>
          <div className="admin-columns">
            <HealthSection administration={data.administration} queue={data.queue} workers={data.workers} />
            {storage !== undefined && <StorageSection storage={storage} />}
            {storage !== undefined && <TrashSection runs={storage.trashRuns} bytes={storage.trashBytes} />}
          </div>
          <UsersSection />
          <TokensSection />
          <div className="admin-columns">
            <ProjectSizes projects={data.administration.projects} />
            <TableSizes tables={data.administration.tables} />
          </div>
          <SlowWorkTable entries={data.administration.slowWork} />
          <ChangesSection version={data.administration.version} changes={data.administration.changes} />
        </>
      )}
    </div>
  );
}
