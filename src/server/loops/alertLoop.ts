import type { Logger } from '#src/base/platform/logger.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { forgetOldAlerts } from '#src/alerts/alertHistory.ts';
import { createAlertWatch, decideAlerts, noteOutage } from '#src/alerts/decideAlerts.ts';
import { deliverMessages, type Outlets } from '#src/outgoing/deliverMessages.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { startLoop } from './startLoop.ts';

export interface AlertLoopOptions {
  services: Pick<ServiceContext, 'db'>;
  outlets: Outlets;
  logger: Logger;
}

/** Messages on their way at once. */
const MOST_AT_ONCE = 32;
const FORGET_MS = 60 * 60 * 1_000;

/** Raises alerts and sends messages. Returns what ends it, after a look under way. */
export function startAlertLoop({ services, outlets, logger }: AlertLoopOptions): { stop(): Promise<void> } {
  const watch = createAlertWatch();
  let forgetAtMs = 0;
  const deciding = startLoop({
    everyMs: TIMING.alertLookMs,
    async work() {
      try {
        const raised = await decideAlerts(services, watch);
        if (raised > 0) logger.info({ raised }, 'raised alerts');
        if (performance.now() >= forgetAtMs) {
          await forgetOldAlerts(services);
          forgetAtMs = performance.now() + FORGET_MS;
        }
      } catch (error) {
        noteOutage(watch);
        throw error;
      }
    },
    logger,
    failing: 'alerts cannot be raised at the moment',
    again: 'alerts are raised again',
  });
  let underWay = 0;
  const delivering = startLoop({
    everyMs: TIMING.deliveryMs,
    async work() {
      const { pending } = await deliverMessages(services, outlets, MOST_AT_ONCE - underWay);
      underWay += pending.length;
      for (const one of pending) {
        one
          .catch((error: unknown) => logger.warn({ err: error }, 'what became of a message could not be noted'))
          .finally(() => {
            underWay -= 1;
          });
      }
    },
    logger,
    failing: 'messages cannot be sent at the moment',
    again: 'messages are sent again',
  });
  return {
    stop: async () => {
      await Promise.all([deciding.stop(), delivering.stop()]);
    },
  };
}
