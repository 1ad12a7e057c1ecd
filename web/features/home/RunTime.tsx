import type { HomeRun } from './useHome.ts';
import { DurationText } from '#web/components/DurationText.tsx';
import { TimeText } from '#web/components/TimeText.tsx';

/** For how long a run has been running, or when it ended. */
export function RunTime({ run }: { run: HomeRun }) {
  return (
    <span className="home-when muted">
      {run.state === 'RUNNING' ? (
        <DurationText startedAt={run.startedAt} endedAt={null} />
      ) : (
        run.endedAt !== null && <TimeText time={run.endedAt} />
      )}
    </span>
  );
}
