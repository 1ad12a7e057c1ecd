import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode, useId } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { endedSince, useHome, type HomeBundle } from './useHome.ts';
import { useStore } from '#web/api/useStore.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { authToken } from '#web/api/authToken.ts';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { firstSteps } from '../shared/firstSteps.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { namesakeDetails } from '../shared/namesakes.ts';
import { RunLine } from './RunLine.tsx';
import { useStudyVerdicts } from '#web/features/studies/useStudyVerdicts.ts';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { BundledRuns } from './BundledRuns.tsx';
import { NewestError } from './NewestError.tsx';
import { RunTime } from './RunTime.tsx';
import { studyOutcome } from './studyOutcome.ts';
import { SweepLine } from '../sweeps/SweepLine.tsx';
import { HomeProjects, HomeQueue } from './HomeSide.tsx';
import { HomeStrip } from './HomeStrip.tsx';
import * as z from 'zod/mini';
import { createStore } from '#web/lib/store.ts';
import './home.css';

interface StudyLineProps {
  bundle: HomeBundle;
  /** Its name. */
  study: string;
  /** Of the list in which it stands. */
  filter: string;
}

/** All runs of a study that a list of the home page has, in one line, with what they say of the study. */
function StudyLine({ bundle, study, filter }: StudyLineProps) {
  const { newest } = bundle;
  const verdicts = useStudyVerdicts(study);
  const outcome = verdicts === undefined ? '' : studyOutcome(verdicts);
  return (
    <li className="home-line">
      <StateBadge state={newest.state} />
      <span className="home-run">
        <Link className="home-name" to="/reproductions/$" params={{ _splat: study }} title={newest.project.name}>
          Study {study}
        </Link>
        <BundledRuns bundle={bundle} filter={`tag = "study:${study}" and ${filter}`} />
      </span>
      <span className="home-outcome">
        {bundle.failedCount > 0 ? (
          <NewestError run={newest} />
        ) : (
          <>
            {outcome !== '' && <span className="home-verdicts">{outcome} </span>}
            <Link className="home-name" to="/runs/$runId" params={{ runId: newest.id }} title={newest.name}>
              newest: #{newest.number} {newest.name}
            </Link>
          </>
        )}
      </span>
      <RunTime run={newest} />
    </li>
  );
}

interface HomeRunsProps {
  title: string;
  bundles: { runCount: number; edges: readonly { node: HomeBundle }[] };
  /** Filter of the runs table that shows all of them. */
  filter: string;
  /** Instead of rows where there are none. */
  empty?: ReactNode;
}

/** Some runs in short lines, all of a sweep or a study in one: what each is, what it found, how it went. */
function HomeRuns({ title, bundles, filter, empty }: HomeRunsProps) {
  const id = useId();
  const details = namesakeDetails(bundles.edges.map(({ node }) => node.newest));
  return (
    <section className="panel home-runs" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        <span className="muted">{formatCount(bundles.runCount)}</span>
        {bundles.runCount > bundles.edges.length && (
          <Link className="spread" to="/runs" search={{ filter }}>
            all {formatCount(bundles.runCount)}
          </Link>
        )}
      </div>
      {bundles.edges.length === 0 ? (
        <p className="panel-body muted">{empty}</p>
      ) : (
        <ul className="plain-list">
          {bundles.edges.map(({ node }, index) => (
            <BundleLine key={keyOf(node)} bundle={node} filter={filter} detail={details[index]!} />
          ))}
        </ul>
      )}
    </section>
  );
}

function keyOf({ sweep, study, newest }: HomeBundle): string {
  return sweep === null ? (study ?? newest.id) : `sweep ${sweep.number}`;
}

function BundleLine({ bundle, filter, detail }: { bundle: HomeBundle; filter: string; detail: string }) {
  const { sweep, study, runCount, newest } = bundle;
  if (sweep !== null) return <SweepLine bundle={bundle} sweep={sweep} filter={filter} />;
  if (study !== null && runCount > 1) return <StudyLine bundle={bundle} study={study} filter={filter} />;
  return <RunLine run={newest} detail={detail} />;
}

const KEY = 'warren.lastLook';
/** A visit ends when nothing was looked at for this long. */
const VISIT_MS = 30 * 60_000;
/** Where nobody has looked before: the last day. */
const FIRST_LOOK_MS = 24 * 3_600_000;

const lookSchema = z.object({
  /** Ends after this time are news. */
  since: z.string(),
  /** When the page was seen last. */
  seen: z.number(),
});

/** The time since which ends are news: when the visit before this one was over, or when news were marked as seen. */
const newsSince = createStore<string>(begin(Date.now()));

/** Remembers that the page is looked at now. */
function keepLooking(): void {
  write({ since: newsSince.get(), seen: Date.now() });
}

/** What has ended until now is no news any more. */
function markSeen(): void {
  const now = Date.now();
  newsSince.set(new Date(now).toISOString());
  write({ since: newsSince.get(), seen: now });
}

function begin(now: number): string {
  const stored = read();
  if (stored === null) return new Date(now - FIRST_LOOK_MS).toISOString();
  return now - stored.seen > VISIT_MS ? new Date(stored.seen).toISOString() : stored.since;
}

function read(): z.infer<typeof lookSchema> | null {
  try {
    const parsed = lookSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    return parsed.success && !Number.isNaN(Date.parse(parsed.data.since)) ? parsed.data : null;
  } catch {
    return null;
  }
}

function write(look: z.infer<typeof lookSchema>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(look));
  } catch {
    // A browser that keeps nothing shows the last day each time.
  }
}

/** What to do on a server that has no runs yet. */
function FirstSteps() {
  return (
    <section className="home-first" aria-labelledby="first-title">
      <h2 id="first-title">No runs yet: three ways to begin</h2>
      <ol className="home-steps">
        {firstSteps(location.origin).map((step) => (
          <li key={step.title}>
            <CommandBox {...step} />
          </li>
        ))}
      </ol>
      <p className="muted">
        The last two are for the folder of Warren.
        {authToken.get() !== null && ' This server wants a token: set WARREN_TOKEN, too.'} Without a shell,{' '}
        <Link to="/new">fill in a form</Link>.
      </p>
    </section>
  );
}

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
