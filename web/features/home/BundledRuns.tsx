import { Link } from '@tanstack/react-router';
import type { HomeBundle } from './useHome.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

/** How many runs stand in one line, leading to them. */
export function BundledRuns({ bundle: { runCount, failedCount }, filter }: { bundle: HomeBundle; filter: string }) {
  const runs = runCount === 1 ? '1 run' : `${formatCount(runCount)} runs`;
  return (
    <Link className="home-bundled muted" to="/runs" search={{ filter }}>
      {runs}
      {failedCount > 0 && ' failed'}
    </Link>
  );
}
