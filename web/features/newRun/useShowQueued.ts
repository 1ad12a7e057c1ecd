import { useNavigate } from '@tanstack/react-router';
import { showToast } from '#web/components/toasts.ts';

export interface EnqueuedRun {
  id: string;
  number: number;
  warnings: string[];
}

/** What shows runs that were just queued: a word, their warnings, and the page of the one or the table of all. */
export function useShowQueued() {
  const navigate = useNavigate();
  return (runs: readonly EnqueuedRun[], project: string) => {
    const first = runs[0];
    if (first === undefined) return;
    showToast(runs.length === 1 ? `Run #${first.number} is queued.` : `${runs.length} runs are queued.`);
    for (const warning of new Set(runs.flatMap((run) => run.warnings))) showToast(warning, { error: true });
    if (runs.length === 1) void navigate({ to: '/runs/$runId', params: { runId: first.id } });
    else void navigate({ to: '/runs', search: { project } });
  };
}
