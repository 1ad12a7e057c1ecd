import { useState, type FormEvent } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  DeleteProjectDocument,
  EditProjectDocument,
  type EditProjectMutationVariables,
  MakeProjectDocument,
  ProjectListDocument,
  type ProjectListQuery,
  UndeleteProjectDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { Dialog } from '#web/components/Dialog.tsx';
import { Field } from '#web/components/Field.tsx';
import { Link } from '@tanstack/react-router';
import { formatCount } from '#web/lib/formatNumber.ts';
import './projects.css';

type ListedProject = ProjectListQuery['projects']['edges'][number]['node'];

/** All projects with what goes on in them, or those in the trash. */
function useProjectList({ deleted }: { deleted: boolean }) {
  return useQuery({
    queryKey: ['projects', 'list', deleted],
    queryFn: async ({ signal }) => {
      const found: ListedProject[] = [];
      const since = new Date().toISOString();
      for (let after: string | null = null; ; ) {
        const page: ProjectListQuery['projects'] = (
          await request(ProjectListDocument, { after, deleted, since }, signal)
        ).projects;
        found.push(...page.edges.map(({ node }) => node));
        if (!page.pageInfo.hasNextPage) return found;
        after = page.pageInfo.endCursor;
      }
    },
  });
}

/** Makes a project. */
function useMakeProject() {
  const onSettled = useRefresh();
  return useMutation({
    mutationFn: async (project: { name: string; description: string }) => await request(MakeProjectDocument, project),
    onSettled,
  });
}

/** Renames a project, or sets what it is about. */
function useEditProject() {
  const onSettled = useRefresh();
  return useMutation({
    mutationFn: async (change: EditProjectMutationVariables) => await request(EditProjectDocument, change),
    onSettled,
  });
}

/** Moves a project to the trash with its runs, or takes it back. */
function useMoveProject() {
  const onSettled = useRefresh();
  return useMutation({
    mutationFn: async ({ project, deleted }: { project: string; deleted: boolean }) =>
      deleted ? await request(DeleteProjectDocument, { project }) : await request(UndeleteProjectDocument, { project }),
    onSettled,
  });
}

/** Everything that names a project or counts runs is asked for again. Who changed it hears of it at once: its row may be gone then. */
function useRefresh() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries();
  };
}

/** Makes a project (null), or renames one and says what it is about. */
function ProjectDialog({ project, onClose }: { project: ListedProject | null; onClose(): void }) {
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const make = useMakeProject();
  const edit = useEditProject();
  const { error, isPending } = project === null ? make : edit;
  const wanted = name.trim();
  const isRenamed = project !== null && wanted !== project.name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      showToast(`${wanted} is ${project === null ? 'made' : 'saved'}.`);
      onClose();
    };
    if (project === null) make.mutate({ name: wanted, description }, { onSuccess });
    else edit.mutate({ project: project.name, description, ...(isRenamed && { name: wanted }) }, { onSuccess });
  };
  return (
    <Dialog title={project === null ? 'New project' : `Project ${project.name}`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Name" hint={isRenamed ? 'Programs that name the old name make a new project.' : undefined}>
          <input className="input" required autoFocus value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="What it is about">
          <textarea
            className="input"
            rows={3}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </Field>
        {error !== null && <ErrorNotice title="Nothing was saved." error={error} />}
        <div className="dialog-foot">
          <Button type="submit" look="primary" disabled={isPending || wanted === ''}>
            {project === null ? 'Make project' : 'Save'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Projects, those that were active last first. */
function ProjectTable({ projects, mayWrite }: { projects: readonly ListedProject[]; mayWrite: boolean }) {
  const [edited, setEdited] = useState<ListedProject | null>(null);
  const sorted = [...projects].sort((a, b) => Date.parse(lastActive(b)) - Date.parse(lastActive(a)));
  return (
    <div className="panel">
      <section
        className="table-scroll"
        aria-label="Projects table"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <table className="table projects-table">
          <thead>
            <tr>
              <th scope="col">Project</th>
              <th scope="col" className="number">
                Runs
              </th>
              <th scope="col">Under way</th>
              <th scope="col">Active</th>
              <th scope="col">About</th>
              {mayWrite && <th scope="col">Change</th>}
            </tr>
          </thead>
          <tbody>
            {sorted.map((project) => (
              <tr key={project.id}>
                <th scope="row">
                  <Link to="/runs" search={{ project: project.name }}>
                    {project.name}
                  </Link>
                </th>
                <td className="number">{formatCount(project.runCount)}</td>
                <td>{underWay(project)}</td>
                <td>
                  <TimeText time={lastActive(project)} />
                </td>
                <td className="project-about">{project.description || <span className="muted">–</span>}</td>
                {mayWrite && (
                  <td>
                    <div className="row">
                      <Button look="quiet" aria-label={`Edit ${project.name}`} onClick={() => setEdited(project)}>
                        Edit
                      </Button>
                      <DeleteButton name={project.name} />
                    </div>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {edited !== null && <ProjectDialog project={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

/** Deletes at once: it can be undone. */
function DeleteButton({ name }: { name: string }) {
  const move = useMoveProject();
  const onError = (error: Error) => showToast(error.message, { error: true });
  const undo = { label: 'Undo', run: () => move.mutate({ project: name, deleted: false }, { onError }) };
  const onSuccess = () => showToast(`${name} and its runs are in the trash.`, { action: undo });
  return (
    <Button
      look="quiet"
      aria-label={`Delete ${name}`}
      disabled={move.isPending}
      onClick={() => move.mutate({ project: name, deleted: true }, { onSuccess, onError })}
    >
      Delete
    </Button>
  );
}

function underWay({ activity }: ListedProject): string {
  const { running = 0, queued = 0 } = activity ?? {};
  const parts = [...(running > 0 ? [`${running} running`] : []), ...(queued > 0 ? [`${queued} queued`] : [])];
  return parts.join(', ') || '–';
}

function lastActive({ activity, createdAt }: ListedProject): string {
  return activity?.lastActiveAt ?? createdAt;
}

/** Projects in the trash, to be taken back. */
function DeletedProjects({ projects, mayWrite }: { projects: readonly ListedProject[]; mayWrite: boolean }) {
  const move = useMoveProject();
  const takeBack = (project: string) =>
    move.mutate(
      { project, deleted: false },
      {
        onSuccess: () => showToast(`${project} is back, with the runs that went with it.`),
        onError: (error) => showToast(error.message, { error: true }),
      },
    );
  return (
    <section className="panel" aria-labelledby="deleted-projects-title">
      <div className="panel-head">
        <h2 id="deleted-projects-title">In the trash</h2>
        <span className="muted">they go for good when the trash is emptied</span>
      </div>
      <ul className="plain-list">
        {projects.map(({ id, name, deletedAt }) => (
          <li key={id} className="panel-body row">
            <span>{name}</span>
            <span className="muted">deleted {deletedAt !== null && <TimeText time={deletedAt} />}</span>
            {mayWrite && (
              <Button
                className="spread"
                disabled={move.isPending}
                aria-label={`Take back ${name}`}
                onClick={() => takeBack(name)}
              >
                Take back
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

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
