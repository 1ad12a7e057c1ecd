import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { HomeBundle } from './useHome.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { namesakeDetails } from '../shared/namesakes.ts';
import { RunLine } from './RunLine.tsx';
import { StudyLine } from './StudyLine.tsx';
import { SweepLine } from '../sweeps/SweepLine.tsx';

export interface HomeRunsProps {
  title: string;
  bundles: { runCount: number; edges: readonly { node: HomeBundle }[] };
  /** Filter of the runs table that shows all of them. */
  filter: string;
  /** Instead of rows where there are none. */
  empty?: ReactNode;
}

/** Some runs in short lines, all of a sweep or a study in one: what each is, what it found, how it went. */
export function HomeRuns({ title, bundles, filter, empty }: HomeRunsProps) {
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
