import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { endedSince, useHome } from './useHome.ts';
import { useStore } from '#web/api/useStore.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { HomeRuns } from './HomeRuns.tsx';
import { HomeProjects, HomeQueue } from './HomeSide.tsx';
import { HomeStrip } from './HomeStrip.tsx';
import { keepLooking, markSeen, newsSince } from './lastLook.ts';
import './home.css';

const LOOK_MS = 60_000;

/** What happened since the last look, what goes on, and what comes next. */
export function HomePage() {
  useTitle('Home');
  const since = useStore(newsSince);
  const { data, error, refetch } = useHome(since);
  useEffect(() => {
    keepLooking();
    const timer = setInterval(() => document.visibilityState === 'visible' && keepLooking(), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const empty = data?.projects.edges.every(({ node }) => node.runCount === 0) === true;
  const filters = endedSince(since);
  return (
    <div className="page home-page">
      <div className="page-head">
        <h1>Home</h1>
        <span className="muted">
          news since <TimeText time={since} />
        </span>
        <Button look="quiet" onClick={markSeen}>
          Mark all as seen
        </Button>
        <span className="row spread">
          <Link className="button" to="/sweeps/new">
            New sweep
          </Link>
          <Link className="button button-primary" to="/new">
            New run
          </Link>
        </span>
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The state of the server cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined ? (
        <div className="home-skeleton" role="status" aria-label="Loading" />
      ) : (
        <>
          <HomeStrip facts={data} since={since} />
          {empty ? (
            <FirstSteps />
          ) : (
            <div className="home-columns">
              <div className="home-column">
                {data.failed.runCount > 0 && <HomeRuns title="Failed" bundles={data.failed} filter={filters.failed} />}
                <HomeRuns title="Running" bundles={data.running} filter="state = RUNNING" empty="Nothing runs." />
                <HomeRuns
                  title="Ended since you last looked"
                  bundles={data.ended}
                  filter={filters.ended}
                  empty="Nothing else has ended since."
                />
              </div>
              <div className="home-column">
                <HomeProjects projects={data.projects} />
                <HomeQueue queue={data.queue} workers={data.workers} />
              </div>
            </div>
          )}
        </>
      )}
    </div>
  );
}
