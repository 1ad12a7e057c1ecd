import { Link } from '@tanstack/react-router';
import type { QueuedRun } from './useQueueAndWorkers.ts';
import { useMayManageQueue, useMayWrite } from '#web/features/administration/useServer.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { Button } from '#web/components/Button.tsx';
import { useQueueButtons } from './useQueueButtons.ts';

/** Places in the queue that have a name, as the command line knows them. */
const NAMED = [
  ['high', 100],
  ['normal', 1000],
  ['low', 10_000],
] as const;

/** The place of a run in the queue, to be changed where the caller may. */
function PriorityChoice({
  run,
  mayWrite,
}: {
  run: { id: string; number: number; priority: number };
  mayWrite: boolean;
}) {
  const { pending, act } = useQueueButtons();
  if (!mayWrite) return <>{formatCount(run.priority)}</>;
  const isNamed = NAMED.some(([, priority]) => priority === run.priority);
  return (
    <select
      aria-label={`Priority of run ${run.number}`}
      value={run.priority}
      disabled={pending}
      onChange={(event) => {
        const priority = Number(event.target.value);
        act(
          { action: 'prioritize', runId: run.id, priority },
          `Run ${run.number} has priority ${formatCount(priority)}.`,
        );
      }}
    >
      {!isNamed && <option value={run.priority}>{formatCount(run.priority)}</option>}
      {NAMED.map(([name, priority]) => (
        <option key={name} value={priority}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface PauseNoticesProps {
  /** A kind of null is all kinds. */
  pauses: readonly { kind: string | null; pausedAt: string }[];
  mayManage: boolean;
}

/** What is paused, and the way to go on. */
function PauseNotices({ pauses, mayManage }: PauseNoticesProps) {
  const { pending, act } = useQueueButtons();
  return pauses.map(({ kind, pausedAt }) => {
    const what = kind === null ? 'The whole queue' : `The kind ${kind}`;
    return (
      <div className="notice row" role="status" key={kind ?? ''}>
        <span>
          {what} is paused, <TimeText time={pausedAt} />: no worker begins its runs.
        </span>
        <Button
          disabled={!mayManage || pending}
          onClick={() => act({ action: 'resume', kind }, `${what} goes on.`)}
          aria-label={kind === null ? 'Resume the queue' : `Resume ${kind}`}
        >
          Resume
        </Button>
      </div>
    );
  });
}

export interface QueueSectionProps {
  queue: {
    backend: string;
    waiting: number;
    queued: number;
    running: number;
    queuedForGpu: number;
    gpuWorkers: number;
    unknownKinds: { kind: string; runs: number }[];
    pauses: PauseNoticesProps['pauses'];
    next: QueuedRun[];
  };
}

/** How many runs wait, and which come next. */
export function QueueSection({ queue }: QueueSectionProps) {
  const mayManage = useMayManageQueue();
  const mayWrite = useMayWrite();
  return (
    <section className="panel" aria-labelledby="queue-title">
      <div className="panel-head">
        <h2 id="queue-title">Queue</h2>
        <dl className="queue-counts">
          <Count label="running" value={queue.running} filter="state = RUNNING" />
          <Count label="queued" value={queue.queued} filter="state = QUEUED" />
          <Count label="waiting for inputs" value={queue.waiting} filter="state = WAITING" />
        </dl>
        <span className="muted spread">carried by {queue.backend === 'redis' ? 'Redis' : 'PostgreSQL'}</span>
        {mayManage && <PauseMenu queue={queue} />}
      </div>
      <PauseNotices pauses={queue.pauses} mayManage={mayManage} />
      {queue.queuedForGpu > 0 && <GpuNotice {...queue} />}
      {queue.unknownKinds.map(({ kind, runs }) => (
        <p className="notice" role="status" key={kind}>
          {runs === 1 ? '1 run waits' : `${formatCount(runs)} runs wait`} for a worker that knows the kind {kind}; none
          is there. Start one with its module in WARREN_KINDS.
        </p>
      ))}
      {queue.next.length === 0 ? (
        <EmptyState title="Nothing is queued">
          <p>
            <Link to="/new">Queue a run</Link>
          </p>
        </EmptyState>
      ) : (
        <div className="table-scroll">
          <table className="table">
            <caption className="visually-hidden">Next runs, in the order in which workers take them</caption>
            <thead>
              <tr>
                <th scope="col" className="number">
                  #
                </th>
                <th scope="col">Name</th>
                <th scope="col">Kind</th>
                <th scope="col">Dataset</th>
                <th scope="col" className="number">
                  Seed
                </th>
                <th scope="col">Project</th>
                <th scope="col" className="number">
                  Priority
                </th>
                <th scope="col">Attempt</th>
                <th scope="col">Queued</th>
              </tr>
            </thead>
            <tbody>
              {queue.next.map((run) => (
                <tr key={run.id}>
                  <th scope="row" className="number">
                    {run.number}
                  </th>
                  <td>
                    <Link to="/runs/$runId" params={{ runId: run.id }}>
                      {run.name}
                    </Link>
                  </td>
                  <td className="queue-kind">
                    {run.configuration.kind}
                    {run.requiresGpu && <span className="tag">needs a GPU</span>}
                    {run.waitsFor !== null && <span className="tag">waits for {run.waitsFor}</span>}
                  </td>
                  <td>{run.configuration.datasetName ?? '–'}</td>
                  <td className="number">{run.seed}</td>
                  <td>{run.project.name}</td>
                  <td className="number">
                    <PriorityChoice run={run} mayWrite={mayWrite} />
                  </td>
                  <td>{run.attempt === 0 ? 'first' : `${run.attempt + 1} of ${run.maxAttempts}`}</td>
                  <td>
                    <TimeText time={run.createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Pauses all, or one of the kinds that wait. */
function PauseMenu({ queue }: QueueSectionProps) {
  const { pending, act } = useQueueButtons();
  const paused = new Set(queue.pauses.map(({ kind }) => kind));
  const kinds = [...new Set(queue.next.map((run) => run.configuration.kind))]
    .filter((kind) => !paused.has(kind))
    .sort();
  return (
    <select
      className="input"
      aria-label="Pause"
      value=""
      disabled={pending}
      onChange={(event) => {
        const { value } = event.target;
        const kind = value === ALL ? null : value;
        act({ action: 'pause', kind }, `${kind === null ? 'The queue' : `The kind ${kind}`} is paused.`);
      }}
    >
      <option value="">Pause …</option>
      {!paused.has(null) && <option value={ALL}>the whole queue</option>}
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {kind}
        </option>
      ))}
    </select>
  );
}

/** No kind is called so. */
const ALL = '*';

/** Says who is waited for: runs that need a GPU stay behind others that do not. */
function GpuNotice({ queuedForGpu, gpuWorkers }: { queuedForGpu: number; gpuWorkers: number }) {
  const runs = queuedForGpu === 1 ? '1 run waits' : `${formatCount(queuedForGpu)} runs wait`;
  const workers = gpuWorkers === 1 ? '1 is there' : `${formatCount(gpuWorkers)} are there`;
  return (
    <p className="notice" role="status">
      {runs} for a worker with a GPU; {gpuWorkers === 0 ? 'none is there' : workers}.
    </p>
  );
}

function Count({ label, value, filter }: { label: string; value: number; filter: string }) {
  return (
    <div>
      <dt className="visually-hidden">{label}</dt>
      <dd>
        <Link to="/runs" search={{ filter }}>
          <strong>{formatCount(value)}</strong> {label}
        </Link>
      </dd>
    </div>
  );
}
