import type { ExperimentKind } from '#web/features/shared/useCatalog.ts';

/** Programs of the user's own are queued, or log, by ways of their own. */
export function runnable(kinds: readonly ExperimentKind[]): ExperimentKind[] {
  return kinds.filter((kind) => kind.kind !== 'external' && kind.kind !== 'command');
}
