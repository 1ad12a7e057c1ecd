import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#src/base/platform/logger.ts';
import { packPoints } from '#src/metrics/packPoints.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { startLoop } from './startLoop.ts';

/** Between two rounds over all series with loose points, and between the parts of one, which leave the database to others. */
const ROUND_MS = 30_000;
const PART_MS = 100;

/** Packs points that are settled into blocks. Returns what ends it. */
export function startPackLoop(services: Pick<ServiceContext, 'db'>, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const place = { after: '-1' };
  const loop = startLoop({
    everyMs: ROUND_MS,
    async work() {
      for (let more = true; more && !stopping.signal.aborted; ) {
        ({ more } = await packPoints(services, place));
        if (more) await delay(PART_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
    },
    logger,
    failing: 'points cannot be packed at the moment',
    again: 'points are packed again',
  });
  return {
    stop: async () => {
      stopping.abort();
      await loop.stop();
    },
  };
}
