import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ListedProject, useMoveProject } from './useProjectList.ts';
import { Button } from '#web/components/Button.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { ProjectDialog } from './ProjectDialog.tsx';

/** Projects, those that were active last first. */
export function ProjectTable({ projects, mayWrite }: { projects: readonly ListedProject[]; mayWrite: boolean }) {
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
