import { formatDuration, type Lifetime, runningTime } from '../lib/formatDuration.ts';
import { useNow } from './useNow.ts';

/** How long a run took, or has taken so far. */
export function DurationText({ startedAt, endedAt }: Lifetime) {
  const now = useNow(1000, startedAt !== null && endedAt === null);
  const time = runningTime({ startedAt, endedAt }, now);
  return <>{time === null ? '–' : formatDuration(time)}</>;
}
