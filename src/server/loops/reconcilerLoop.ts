import { TIMING } from '#src/base/platform/timing.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import { createReconcilerState, reconcileRuns } from '#src/attempts/reconcileRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { startLoop } from './startLoop.ts';

/** Reconciles every `reconcileMs`, one tick at a time. Returns what ends it, after a tick under way. */
export function startReconcilerLoop(services: ServiceContext, logger: Logger): { stop(): Promise<void> } {
  const state = createReconcilerState({ hearsPrograms: true });
  return startLoop({
    everyMs: TIMING.reconcileMs,
    async work() {
      const summary = await reconcileRuns(services, state);
      if (summary.lost + summary.crashed + summary.released > 0) logger.info(summary, 'reconciled runs');
    },
    logger,
    failing: 'runs cannot be reconciled at the moment',
    again: 'runs are reconciled again',
  });
}
