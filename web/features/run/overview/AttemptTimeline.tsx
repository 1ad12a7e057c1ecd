import type { RunDetail } from '#web/features/run/useRun.ts';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { useNow } from '#web/components/useNow.ts';
import { formatDuration } from '#web/lib/formatDuration.ts';
import { formatDateTime } from '#web/lib/formatTime.ts';

type Attempt = RunDetail['attempts'][number];

/** Attempts drawn, the newest. */
const MOST_SHOWN = 6;
/** A bar is never thinner than this, in percent. */
const THINNEST = 1.5;

/** The tries at a run on one line of time, waiting between them left open. */
export function AttemptTimeline({ run }: { run: RunDetail }) {
  const now = useNow(1000, run.endedAt === null).getTime();
  const shown = run.attempts.slice(-MOST_SHOWN);
  const first = shown[0];
  if (first === undefined || run.attempts.length < 2) return null;
  const begin = Date.parse(first.startedAt);
  const end = Math.max(begin + 1, ...shown.map((attempt) => endOf(attempt, now)));
  return (
    <section className="panel" aria-labelledby="timeline-title">
      <div className="panel-head">
        <h2 id="timeline-title">Attempts</h2>
        <span className="muted">over {formatDuration(end - begin)}</span>
      </div>
      <ol className="timeline">
        {shown.map((attempt) => {
          const from = ((Date.parse(attempt.startedAt) - begin) / (end - begin)) * 100;
          const width = Math.max(
            THINNEST,
            ((endOf(attempt, now) - Date.parse(attempt.startedAt)) / (end - begin)) * 100,
          );
          return (
            <li key={attempt.number} title={titleOf(attempt)}>
              <span className="timeline-head">
                <span>{attempt.number}</span>
                <StateBadge state={attempt.state} />
                <span className="muted timeline-why">{whyOf(attempt)}</span>
                <span className="muted">{formatDuration(endOf(attempt, now) - Date.parse(attempt.startedAt))}</span>
              </span>
              <span className="timeline-track" aria-hidden="true">
                <span
                  className={`timeline-bar state-${attempt.state.toLowerCase()}`}
                  style={{
                    left: `${Math.min(from, 100 - THINNEST)}%`,
                    width: `${Math.min(width, 100 - Math.min(from, 100 - THINNEST))}%`,
                  }}
                />
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function endOf(attempt: Attempt, now: number): number {
  return attempt.endedAt === null ? now : Date.parse(attempt.endedAt);
}

function whyOf({ errorCode, resumedFromStep }: Attempt): string {
  const from = resumedFromStep === null ? '' : `from step ${resumedFromStep}`;
  return [from, errorCode ?? ''].filter((part) => part !== '').join(', ');
}

function titleOf(attempt: Attempt): string {
  const began = formatDateTime(new Date(attempt.startedAt));
  const on = attempt.workerName === '' ? '' : ` on ${attempt.workerName}`;
  return `Attempt ${attempt.number} began ${began}${on}. ${attempt.errorMessage ?? ''}`;
}
