import { type ListedProject, useMoveProject } from './useProjectList.ts';
import { Button } from '#web/components/Button.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';

/** Projects in the trash, to be taken back. */
export function DeletedProjects({ projects, mayWrite }: { projects: readonly ListedProject[]; mayWrite: boolean }) {
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
