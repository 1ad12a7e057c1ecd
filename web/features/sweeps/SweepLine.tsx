import { Link } from '@tanstack/react-router';
import { toNumber } from '#src/base/lib/metricValue.ts';
import type { HomeBundle } from '#web/features/home/useHome.ts';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { formatCount, formatDigits } from '#web/lib/formatNumber.ts';
import { readSweepDefinition } from './sweepDefinition.ts';
import { BundledRuns } from '../home/BundledRuns.tsx';
import { NewestError } from '../home/NewestError.tsx';
import { RunTime } from '../home/RunTime.tsx';

type SweepOfBundle = NonNullable<HomeBundle['sweep']>;

interface SweepLineProps {
  bundle: HomeBundle;
  sweep: SweepOfBundle;
  /** Of the list in which it stands. */
  filter: string;
}

/** All runs of a sweep that a list of the home page has, in one line: how far the sweep is, and the best that it found. */
export function SweepLine({ bundle, sweep, filter }: SweepLineProps) {
  return (
    <li className="home-line">
      <StateBadge state={bundle.failedCount > 0 ? bundle.newest.state : sweep.state} />
      <span className="home-run">
        <Link
          className="home-name"
          to="/sweeps/$sweepId"
          params={{ sweepId: String(sweep.number) }}
          title={`${sweep.name}, ${bundle.newest.project.name}`}
        >
          Sweep {sweep.number}: {sweep.name}
        </Link>
        <BundledRuns bundle={bundle} filter={`sweep = ${sweep.number} and ${filter}`} />
      </span>
      <span className="home-outcome">
        {bundle.failedCount > 0 ? <NewestError run={bundle.newest} /> : <Found sweep={sweep} />}
      </span>
      <RunTime run={bundle.newest} />
    </li>
  );
}

function Found({ sweep: { counts, best, definition } }: { sweep: SweepOfBundle }) {
  const { total, running, failed, planned } = counts;
  const metric = readSweepDefinition(definition)?.metric ?? null;
  const objective = best?.objective ?? null;
  const ended = `${formatCount(total - running)}${planned === null ? '' : ` of ${formatCount(planned)}`}`;
  return (
    <span className="home-found">
      {metric !== null && objective !== null && (
        <span className="home-headline" title={`best ${metric.name}`}>
          <span className="muted">best {metric.name}</span> {formatDigits(toNumber(objective))}
        </span>
      )}
      <span className="muted">
        {ended} {planned === null && total - running === 1 ? 'trial' : 'trials'}
      </span>
      {failed > 0 && <span className="danger-text">{formatCount(failed)} failed</span>}
    </span>
  );
}
