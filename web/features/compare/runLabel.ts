import type { ComparedRun } from '#web/api/useComparison.ts';

/** A run's name in a comparison: `#12 overrec beauty`. */
export function runLabel(run: ComparedRun): string {
  return `#${run.number} ${run.name}`;
}
