import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#src/base/platform/logger.ts';

export interface LoopOptions {
  everyMs: number;
  work(): Promise<void>;
  logger: Logger;
  /** What is said when the work cannot be done, once an outage, and when it can be done again. */
  failing: string;
  again: string;
}

/** How long work under way holds up the end; the database may have died in the middle of it. */
const STOP_MS = 3_000;

/**
 * Does the work at once, and again and again with a pause between. Returns what ends it, after work under way, or without
 * it where that takes long: it can be broken off anywhere.
 */
export function startLoop({ everyMs, work, logger, failing, again }: LoopOptions): { stop(): Promise<void> } {
  let stopped = false;
  let fails = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();

  async function tick(): Promise<void> {
    try {
      await work();
      if (fails) logger.info(again);
      fails = false;
    } catch (error) {
      if (!fails) logger.warn({ err: error }, failing);
      fails = true;
    }
    if (stopped) return;
    timer = setTimeout(() => {
      current = tick();
    }, everyMs);
  }

  current = tick();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.race([current, delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}
