import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HomeRun } from './useHome.ts';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { formatDigits } from '#web/lib/formatNumber.ts';
import { summaryOrigin, summaryValue } from '#web/lib/summaryValue.ts';
import { RunTime } from './RunTime.tsx';

/** A run of its own on the home page. @param detail What tells it from others of its name. */
export function RunLine({ run, detail }: { run: HomeRun; detail: string }) {
  return (
    <li className="home-line">
      <StateBadge state={run.state} cancelling={run.state === 'RUNNING' && run.cancelRequested} />
      <span className="home-run">
        <Link
          className="home-name"
          to="/runs/$runId"
          params={{ runId: run.id }}
          title={`${run.name}, ${run.project.name}`}
        >
          #{run.number} {run.name}
        </Link>
        {detail !== '' && (
          <span className="muted home-detail" title={detail}>
            {detail}
          </span>
        )}
      </span>
      <span className="home-outcome">{outcome(run)}</span>
      <RunTime run={run} />
    </li>
  );
}

function outcome(run: HomeRun): ReactNode {
  if (run.error !== null) {
    return (
      <span className="danger-text" title={`${run.error.code}: ${run.error.message}`}>
        {run.error.message}
      </span>
    );
  }
  if (run.state === 'RUNNING' && run.progress > 0) {
    return (
      <span className="home-progress">
        <ProgressBar fraction={run.progress} label={`Progress of run ${run.number}`} />
        {run.headline !== null && <Headline run={run} />}
      </span>
    );
  }
  return <Headline run={run} />;
}

function Headline({ run: { headline } }: { run: HomeRun }) {
  if (headline === null) return <span className="muted">no metric</span>;
  return (
    <span className="home-headline" title={`${headline.name}, ${summaryOrigin(headline)}`}>
      <span className="muted">{headline.name}</span> {formatDigits(summaryValue(headline))}
    </span>
  );
}
