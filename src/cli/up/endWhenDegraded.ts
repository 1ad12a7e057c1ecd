import { setTimeout as delay } from 'node:timers/promises';
import type { RunningService } from './supervise.ts';

export interface DegradedOptions {
  /** Answers 200 while it can serve. */
  readyUrl: string;
  /** Whether the servers behind it answer us: where they do not, a new start would not help. */
  serversAnswer(): Promise<boolean>;
  say(line: string): void;
  /** How long it may be degraded; default one minute. */
  patienceMs?: number;
  everyMs?: number;
}

const PATIENCE_MS = 60_000;
const EVERY_MS = 5_000;

/** The same service, which is ended, and so started again, when it has been degraded for a while and nothing else is. */
export function endWhenDegraded(service: RunningService, options: DegradedOptions): RunningService {
  const over = new AbortController();
  void service.ended.finally(() => over.abort());
  void watch(service, { ...options, signal: over.signal });
  return service;
}

async function watch(service: RunningService, options: DegradedOptions & { signal: AbortSignal }): Promise<void> {
  const { readyUrl, serversAnswer, say, patienceMs = PATIENCE_MS, everyMs = EVERY_MS, signal } = options;
  let goodAt = performance.now();
  for (;;) {
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    if (await isWell(readyUrl, everyMs)) goodAt = performance.now();
    if (performance.now() - goodAt < patienceMs || !(await serversAnswer()) || signal.aborted) continue;
    say(`the api has not been well for ${Math.round(patienceMs / 1000)} s, though its servers answer: ending it`);
    await service.stop();
    return;
  }
}

/** A server that is busy counts as well when it answers within twice the time between two questions. */
async function isWell(readyUrl: string, everyMs: number): Promise<boolean> {
  try {
    const response = await fetch(readyUrl, { signal: AbortSignal.timeout(2 * everyMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
