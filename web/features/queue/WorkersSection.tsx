import { Link } from '@tanstack/react-router';
import type { WorkerRow } from './useQueueAndWorkers.ts';
import { useMayManageQueue } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { Facts } from '#web/components/Facts.tsx';
import { useNarrow } from '#web/components/useNarrow.ts';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatValue } from '#web/lib/fieldText.ts';
import { useQueueButtons } from './useQueueButtons.ts';
import { tellsProgress } from '#src/base/contracts/runProgress.ts';
import { asPlainObject, flattenObject } from '#src/base/lib/plainObject.ts';

export interface WorkersSectionProps {
  workers: readonly WorkerRow[];
  /** Shows workers that have stopped, too. */
  stopped: boolean;
  onStopped(stopped: boolean): void;
}

/** The workers: on what they compute, and what. */
export function WorkersSection({ workers, stopped, onStopped }: WorkersSectionProps) {
  const alive = workers.filter((worker) => worker.alive).length;
  const narrow = useNarrow();
  return (
    <section className="panel" aria-labelledby="workers-title">
      <div className="panel-head">
        <h2 id="workers-title">Workers</h2>
        <span aria-live="polite">{alive} alive</span>
        <label className="check spread">
          <input type="checkbox" checked={stopped} onChange={(event) => onStopped(event.target.checked)} />
          Show stopped ones
        </label>
      </div>
      {workers.length === 0 ? (
        <EmptyState title="No worker is there">
          <p>
            Queued runs wait until one comes: <code>npm run -s warren -- worker</code>
          </p>
        </EmptyState>
      ) : (
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Worker</th>
                {!narrow && (
                  <>
                    <th scope="col">State</th>
                    <th scope="col">Backend</th>
                    <th scope="col">Device</th>
                  </>
                )}
                <th scope="col">Runs</th>
                {!narrow && (
                  <>
                    <th scope="col" className="number">
                      Slots
                    </th>
                    <th scope="col">Seen</th>
                    <th scope="col">Started</th>
                    <th scope="col">Details</th>
                  </>
                )}
              </tr>
            </thead>
            <tbody>
              {workers.map((worker) => (
                <WorkerLine key={worker.id} {...{ worker, narrow }} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** On a phone all facts of a worker stand under its name, and its runs beside them. */
function WorkerLine({ worker, narrow }: { worker: WorkerRow; narrow: boolean }) {
  const mayManage = useMayManageQueue();
  const details = flattenObject(asPlainObject(worker.details)).map(
    ([path, value]) => [path, formatValue(value)] as const,
  );
  const state = (
    <>
      <WorkerState worker={worker} />
      {worker.alive && mayManage && <DrainButton worker={worker} />}
    </>
  );
  const device = (
    <>
      {worker.device}
      {worker.gpu && <span className="tag">GPU</span>}
      {worker.kinds.map((kind) => (
        <span className="tag" key={kind}>
          {kind}
        </span>
      ))}
    </>
  );
  const more = (
    <details className="worker-details">
      <summary>{worker.version === '' ? 'more' : `v${worker.version}`}</summary>
      <Facts facts={details} />
    </details>
  );
  const runs = (
    <td className="worker-runs">
      {worker.runs.length === 0 ? (
        <span className="muted">idle</span>
      ) : (
        worker.runs.map((run) => (
          <div className="worker-run" key={run.id}>
            <Link to="/runs/$runId" params={{ runId: run.id }} title={run.progressMessage}>
              #{run.number} {run.name}
            </Link>
            {tellsProgress(run) && <ProgressBar fraction={run.progress} label={`Progress of run ${run.number}`} />}
          </div>
        ))
      )}
    </td>
  );
  const place = (
    <>
      {worker.name}
      <div className="muted worker-place">
        {worker.host} · pid {worker.pid}
      </div>
    </>
  );
  if (narrow) {
    return (
      <tr>
        <th scope="row" className="worker-facts">
          {place}
          <div>{state}</div>
          <div className="worker-place">
            <code>{worker.backend}</code> {device}
          </div>
          <div className="muted worker-place">
            {worker.slots === 1 ? '1 slot' : `${worker.slots} slots`}, seen <TimeText time={worker.lastSeenAt} />
          </div>
          {more}
        </th>
        {runs}
      </tr>
    );
  }
  return (
    <tr>
      <th scope="row">{place}</th>
      <td>{state}</td>
      <td>
        <code>{worker.backend}</code>
      </td>
      <td>{device}</td>
      {runs}
      <td className="number">{worker.slots}</td>
      <td>
        <TimeText time={worker.lastSeenAt} />
      </td>
      <td>
        <TimeText time={worker.startedAt} />
      </td>
      <td>{more}</td>
    </tr>
  );
}

function WorkerState({ worker }: { worker: WorkerRow }) {
  if (worker.alive && worker.trouble !== null) {
    return (
      <span className="state state-failed" title={worker.trouble}>
        ✕ takes no runs: {worker.trouble}
      </span>
    );
  }
  if (worker.alive && worker.drained) return <span className="state state-queued">◌ drained</span>;
  if (worker.alive && worker.drainRequestedAt !== null) {
    return <span className="state state-running">◌ finishes its runs</span>;
  }
  if (worker.alive) return <span className="state state-succeeded">● alive</span>;
  if (worker.stoppedAt !== null) return <span className="state state-queued">○ stopped</span>;
  return <span className="state state-failed">✕ silent</span>;
}

/** Has it take no new runs, or take them again. */
function DrainButton({ worker }: { worker: WorkerRow }) {
  const { pending, act } = useQueueButtons();
  const draining = worker.drainRequestedAt !== null;
  return (
    <Button
      look="quiet"
      disabled={pending}
      aria-label={draining ? `Let ${worker.name} take runs again` : `Drain ${worker.name}`}
      title={draining ? 'Let it take runs again' : 'It takes no new runs and finishes those that it has'}
      onClick={() =>
        draining
          ? act({ action: 'undrain', worker: worker.id }, `${worker.name} takes runs again.`)
          : act({ action: 'drain', worker: worker.id }, `${worker.name} takes no new runs.`)
      }
    >
      {draining ? 'Undrain' : 'Drain'}
    </Button>
  );
}
