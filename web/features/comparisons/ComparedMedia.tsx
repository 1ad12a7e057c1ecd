import { lazy, Suspense } from 'react';
import type { ComparedRun } from './useComparison.ts';
import { Disclosure } from '#web/components/Disclosure.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { isLive } from '#web/lib/runStates.ts';
import { runLabels } from '../shared/runLabels.ts';

const MediaPanel = lazy(async () => ({ default: (await import('../media/MediaPanel.tsx')).MediaPanel }));

/** More would not stand beside each other. */
const MOST_RUNS = 6;

/** Figures and media of the first runs side by side; read when it is opened. */
export function ComparedMedia({ runs }: { runs: readonly ComparedRun[] }) {
  const shown = runs.slice(0, MOST_RUNS);
  const labels = runLabels(runs);
  return (
    <Disclosure title="Media" {...(runs.length > MOST_RUNS ? { note: `of the first ${MOST_RUNS} runs` } : {})}>
      <Suspense fallback={<Loading what="media" />}>
        <MediaPanel
          runs={shown.map((run, index) => ({ id: run.id, label: labels[index]! }))}
          live={shown.some((run) => isLive(run.state))}
        />
      </Suspense>
    </Disclosure>
  );
}
