import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { HomeRun } from '#web/api/useHome.ts';
import { DurationText } from '#web/components/DurationText.tsx';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import { summaryOrigin, summaryValue } from '#web/lib/summaryValue.ts';

export interface HomeRunsProps {
  title: string;
  runs: { totalCount: number; edges: readonly { node: HomeRun }[] };
  /** Filter of the runs table that shows all of them. */
  filter: string;
  /** Instead of rows where there are none. */
  empty?: ReactNode;
}

/** Some runs in short lines: what each is, what it found, how it went. */
export function HomeRuns({ title, runs, filter, empty }: HomeRunsProps) {
  const id = useId();
  const left = runs.totalCount - runs.edges.length;
  return (
    <section className="panel home-runs" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        <span className="muted">{formatCount(runs.totalCount)}</span>
        {left > 0 && (
          <Link className="spread" to="/runs" search={{ filter }}>
            all {formatCount(runs.totalCount)}
          </Link>
        )}
      </div>
      {runs.edges.length === 0 ? (
        <p className="panel-body muted">{empty}</p>
      ) : (
        <ul className="plain-list">
          {runs.edges.map(({ node }) => (
            <RunLine key={node.id} run={node} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RunLine({ run }: { run: HomeRun }) {
  const running = run.state === 'RUNNING';
  return (
    <li className="home-line">
      <StateBadge state={run.state} cancelling={running && run.cancelRequested} />
      <span className="home-run">
        <Link
          className="home-name"
          to="/runs/$runId"
          params={{ runId: run.id }}
          title={`${run.name}, ${run.project.name}`}
        >
          #{run.number} {run.name}
        </Link>
        {run.configuration.kind !== 'external' && <span className="muted">seed {run.seed}</span>}
      </span>
      <span className="home-outcome">{outcome(run)}</span>
      <span className="home-when muted">
        {running ? (
          <DurationText startedAt={run.startedAt} endedAt={null} />
        ) : (
          run.endedAt !== null && <TimeText time={run.endedAt} />
        )}
      </span>
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
      <span className="muted">{headline.name}</span> {formatNumber(summaryValue(headline), 4)}
    </span>
  );
}
