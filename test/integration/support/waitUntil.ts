import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from './slowness.ts';

const EAGER_MS = 1_000;

/**
 * Polls until `condition` gives something truthy, and returns it; fails with `what` was awaited after `timeoutMs`, or as much
 * later as the machine is slow by then. What does not come within a second is asked for less often: asking takes time of those
 * that are awaited.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<Exclude<T, false | null | undefined>> {
  const started = performance.now();
  let deadlineMs = timeoutMs;
  for (;;) {
    const found = await condition();
    if (found !== false && found !== null && found !== undefined) return found as Exclude<T, false | null | undefined>;
    const waited = performance.now() - started;
    if (waited > deadlineMs) {
      deadlineMs = Math.max(deadlineMs, timeoutMs * slowness());
      if (waited > deadlineMs) throw new Error(`waited ${Math.round(waited)} ms in vain: ${what}`);
    }
    await delay(waited < EAGER_MS ? 20 : 100);
  }
}
