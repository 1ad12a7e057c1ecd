import { RECONCILE_MS } from '../contracts/timing.ts';
import type { Logger } from '../platform/logger.ts';
import { createReconcilerState, reconcileRuns } from '../services/reconcileRuns.ts';
import type { ServiceContext } from '../services/serviceContext.ts';

/** Reconciles every `RECONCILE_MS`, one tick at a time. Returns what ends it, after a tick under way. */
export function startReconcilerLoop(services: ServiceContext, logger: Logger): { stop(): Promise<void> } {
  const state = createReconcilerState();
  let stopped = false;
  let failing = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();

  async function tick(): Promise<void> {
    try {
      const summary = await reconcileRuns(services, state);
      if (failing) logger.info('runs are reconciled again');
      failing = false;
      if (summary.lost > 0 || summary.released > 0) logger.info(summary, 'reconciled runs');
    } catch (error) {
      // one line an outage: the loop goes on by itself
      if (!failing) logger.warn({ err: error }, 'runs cannot be reconciled at the moment');
      failing = true;
    }
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => {
      current = tick();
    }, RECONCILE_MS);
  }

  current = tick();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
