import type { RunDetail } from './useRun.ts';
import { DurationText } from '#web/components/DurationText.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { formatDateTime } from '#web/lib/formatTime.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

/** What happened to the run: its attempts and its events. */
export function HistoryPanel({ run }: { run: RunDetail }) {
  return (
    <div className="stack run-history">
      {run.attempts.length > 0 && <Attempts attempts={run.attempts} />}
      <section className="panel" aria-labelledby="events-title">
        <h2 className="panel-head" id="events-title">
          Events
        </h2>
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Event</th>
                <th scope="col">What happened</th>
              </tr>
            </thead>
            <tbody>
              {run.events.map((event) => (
                <tr key={event.id}>
                  <td className="muted run-nowrap">
                    <time dateTime={event.time}>{formatDateTime(new Date(event.time))}</time>
                  </td>
                  <th scope="row" className="run-nowrap">
                    {event.type}
                  </th>
                  <td>{event.message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </div>
  );
}

function Attempts({ attempts }: { attempts: RunDetail['attempts'] }) {
  return (
    <section className="panel" aria-labelledby="attempts-title">
      <h2 className="panel-head" id="attempts-title">
        Attempts
      </h2>
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th scope="col" className="number">
                #
              </th>
              <th scope="col">State</th>
              <th scope="col">Worker</th>
              <th scope="col">Backend</th>
              <th scope="col">Device</th>
              <th scope="col" className="number">
                From step
              </th>
              <th scope="col" className="number">
                Took
              </th>
              <th scope="col">Error</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <tr key={attempt.number}>
                <th scope="row" className="number">
                  {attempt.number}
                </th>
                <td>
                  <StateBadge state={attempt.state} />
                </td>
                <td>{attempt.workerName}</td>
                <td>{attempt.backend ?? '–'}</td>
                <td>{attempt.device ?? '–'}</td>
                <td className="number">
                  {attempt.resumedFromStep === null ? 'start' : formatCount(attempt.resumedFromStep)}
                </td>
                <td className="number">
                  <DurationText startedAt={attempt.startedAt} endedAt={attempt.endedAt} />
                </td>
                <td>{attempt.errorCode === null ? '' : `${attempt.errorCode}: ${attempt.errorMessage ?? ''}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
