import { useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { useProjectList } from './useProjectList.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { DeletedProjects } from './DeletedProjects.tsx';
import { ProjectDialog } from './ProjectDialog.tsx';
import { ProjectTable } from './ProjectTable.tsx';
import './projects.css';

/** All projects, to be made, described, renamed and deleted, and those in the trash. */
export function ProjectsPage() {
  useTitle('Projects');
  const { data, error, isPending, refetch } = useProjectList({ deleted: false });
  const deleted = useProjectList({ deleted: true }).data ?? [];
  const mayWrite = useMayWrite();
  const [making, setMaking] = useState(false);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Projects</h1>
        {mayWrite && (
          <Button className="spread" look="primary" onClick={() => setMaking(true)}>
            New project
          </Button>
        )}
      </div>
      <p className="muted">
        A project holds runs, sweeps, reports and views that belong together. The first run that names one makes it.
      </p>
      {making && <ProjectDialog project={null} onClose={() => setMaking(false)} />}
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The projects cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {isPending && error === null && <Loading what="projects" look="rows" />}
      {data?.length === 0 && (
        <EmptyState title="No projects yet">
          <p>Make one here, or log a run to it: warren.init(project="mine").</p>
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && <ProjectTable projects={data} mayWrite={mayWrite} />}
      {deleted.length > 0 && <DeletedProjects projects={deleted} mayWrite={mayWrite} />}
    </div>
  );
}
