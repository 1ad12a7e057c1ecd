import { Link } from '@tanstack/react-router';
import type { HomeFacts, HomeProject } from './useHome.ts';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';

/** Projects shown, those that were active last. */
const MOST_PROJECTS = 9;

/** Projects by their last activity, with what goes on in them. */
export function HomeProjects({ projects }: { projects: HomeFacts['projects'] }) {
  const all = projects.edges.map(({ node }) => node).sort((a, b) => lastActive(b) - lastActive(a));
  const left = all.length - MOST_PROJECTS;
  return (
    <section className="panel" aria-labelledby="projects-title">
      <div className="panel-head">
        <h2 id="projects-title">Projects</h2>
        <span className="muted">
          {formatCount(all.length)}
          {projects.pageInfo.hasNextPage && ' and more'}
        </span>
        <Link className="spread" to="/projects">
          All projects
        </Link>
      </div>
      <ul className="plain-list">
        {all.slice(0, MOST_PROJECTS).map((project) => (
          <li key={project.id} className="home-line home-project">
            <Link className="home-name" to="/runs" search={{ project: project.name }} title={project.name}>
              {project.name}
            </Link>
            <span className="home-going">
              <Going project={project} />
            </span>
            <span className="home-when muted">
              {project.activity !== null && <TimeText time={project.activity.lastActiveAt} />}
            </span>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <p className="panel-body">
          <Link to="/projects">{formatCount(left)} more</Link>
        </p>
      )}
    </section>
  );
}

function Going({ project }: { project: HomeProject }) {
  const { activity } = project;
  return (
    <>
      {activity !== null && activity.failed > 0 && (
        <span className="home-count state-failed">{formatCount(activity.failed)} failed</span>
      )}
      {activity !== null && activity.running > 0 && (
        <span className="home-count state-running">{formatCount(activity.running)} running</span>
      )}
      <span className="home-count muted">
        {project.runCount === 1 ? '1 run' : `${formatCount(project.runCount)} runs`}
      </span>
    </>
  );
}

function lastActive({ activity }: HomeProject): number {
  return activity === null ? 0 : Date.parse(activity.lastActiveAt);
}

/** What workers take next, and the workers. */
export function HomeQueue({ queue, workers }: Pick<HomeFacts, 'queue' | 'workers'>) {
  const left = queue.queued - queue.next.length;
  return (
    <section className="panel" aria-labelledby="queue-title">
      <div className="panel-head">
        <h2 id="queue-title">Next in the queue</h2>
        <Link className="spread" to="/workers">
          Queue and workers
        </Link>
      </div>
      {queue.next.length === 0 ? (
        <p className="panel-body muted">Nothing is queued.</p>
      ) : (
        <ol className="home-next">
          {queue.next.map((run) => (
            <li key={run.id}>
              <Link to="/runs/$runId" params={{ runId: run.id }}>
                #{run.number} {run.name}
              </Link>
              {run.waitsFor !== null && <span className="muted"> waits for {run.waitsFor}</span>}
            </li>
          ))}
        </ol>
      )}
      {left > 0 && <p className="panel-body muted home-left">and {formatCount(left)} more</p>}
      <ul className="home-workers" aria-label="Workers">
        {workers.slice(0, 4).map((worker) => (
          <li key={worker.id}>
            <span>
              {worker.name}
              {worker.gpu && <span className="tag">GPU</span>}
            </span>
            <span className="muted">{workerText(worker)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function workerText(worker: HomeFacts['workers'][number]): string {
  if (!worker.alive) return 'silent';
  const busy = `${worker.runs.length} of ${worker.slots} busy`;
  return worker.drainRequestedAt === null ? busy : `${busy}, drains`;
}
