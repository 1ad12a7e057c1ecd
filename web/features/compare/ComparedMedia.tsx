import { lazy, Suspense, useState } from 'react';
import type { ComparedRun } from '#web/api/useComparison.ts';
import { Loading } from '#web/components/Loading.tsx';
import { isLive } from '#web/lib/runStates.ts';
import { runLabels } from './comparedLabels.ts';

const MediaPanel = lazy(async () => ({ default: (await import('../media/MediaPanel.tsx')).MediaPanel }));

/** More would not stand beside each other. */
const MOST_RUNS = 6;

/** Figures and media of the first runs side by side; read when it is opened. */
export function ComparedMedia({ runs }: { runs: readonly ComparedRun[] }) {
  const [open, setOpen] = useState(false);
  const shown = runs.slice(0, MOST_RUNS);
  const labels = runLabels(runs);
  return (
    <details className="metrics-group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Media</h2>
        {runs.length > MOST_RUNS && <span className="muted">of the first {MOST_RUNS} runs</span>}
      </summary>
      {open && (
        <Suspense fallback={<Loading what="media" />}>
          <MediaPanel
            runs={shown.map((run, index) => ({ id: run.id, label: labels[index]! }))}
            live={shown.some((run) => isLive(run.state))}
          />
        </Suspense>
      )}
    </details>
  );
}
