import { usePrimaryMetric } from '#web/features/metrics/usePrimaryMetrics.ts';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { isLive } from '#web/lib/runStates.ts';
import { AttemptTimeline } from './AttemptTimeline.tsx';
import { Circumstances } from './Circumstances.tsx';
import { HeadlineCurves } from './HeadlineCurves.tsx';
import { HeadlineNumbers } from './HeadlineNumbers.tsx';
import { LastTexts } from './LastTexts.tsx';
import { LogTail } from './LogTail.tsx';
import { Settings } from './Settings.tsx';
import './overview.css';

/** The run on one screen: for a failure what it wrote last, then numbers, curves, what was set, where it ran, and what it cost. */
export function OverviewPanel({ run }: { run: RunDetail }) {
  const primary = usePrimaryMetric(run.configuration.kind);
  const failed = run.state === 'FAILED' || run.state === 'CRASHED';
  return (
    <div className="overview">
      <div className="overview-column">
        {failed && <LogTail run={run} lines={12} />}
        <HeadlineNumbers run={run} primary={primary} />
        <LastTexts run={run} />
        <HeadlineCurves run={run} primary={primary} most={failed ? 3 : 6} />
        {isLive(run.state) && <LogTail run={run} lines={4} />}
      </div>
      <div className="overview-column">
        <AttemptTimeline run={run} />
        <Settings run={run} />
        <Circumstances run={run} />
      </div>
    </div>
  );
}
