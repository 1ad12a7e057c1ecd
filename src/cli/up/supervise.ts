import { setTimeout as delay } from 'node:timers/promises';
import { coerceError } from '#src/base/lib/coerceError.ts';

/** How a service ended. */
export interface ServiceEnd {
  /** In words: `exit code 1`, `signal SIGKILL`. */
  how: string;
  /** Whether another start would end the same way, as with a wrong setting. */
  hopeless: boolean;
}

/** A process that runs. */
export interface RunningService {
  ended: Promise<ServiceEnd>;
  /** Asks it to end, kills it when it does not, and resolves when it has ended. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

export interface SuperviseOptions {
  /** As it is called in messages: `the API`. */
  name: string;
  start(): Promise<RunningService>;
  say(line: string): void;
  /** Told when the service has ended in a way that another start cannot mend. */
  onGivenUp(how: string): void;
  /** Milliseconds before the first new start; each failure doubles it up to the longest. */
  firstDelayMs?: number;
  longestDelayMs?: number;
}

export interface SupervisedService {
  stop(): Promise<void>;
  /** Ends what runs now; it is started again, as after an end by itself. */
  restart(): Promise<void>;
  kill(): void;
}

/** A service that has run this long has recovered: its next failure counts as the first. */
const STEADY_MS = 30_000;

/**
 * Starts a service and starts it again, with backoff, whenever it ends by itself, until it is stopped. The first start's
 * failure is thrown; later ones are said and tried again.
 */
export async function supervise(options: SuperviseOptions): Promise<SupervisedService> {
  const { name, say, firstDelayMs = 200, longestDelayMs = 10_000 } = options;
  const stopping = new AbortController();
  let current = await options.start();

  async function startAgain(how: string, failures: number): Promise<number> {
    let reason = how;
    for (let failure = failures; ; failure++) {
      const wait = Math.min(longestDelayMs, firstDelayMs * 2 ** (failure - 1));
      say(`${name} ended (${reason}); starting it again${wait >= 1000 ? ` in ${Math.round(wait / 1000)} s` : ''}`);
      await delay(wait, undefined, { signal: stopping.signal });
      try {
        current = await options.start();
        return failure;
      } catch (error) {
        if (stopping.signal.aborted) return failure;
        reason = coerceError(error).message;
      }
    }
  }

  async function watch(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      const { how, hopeless } = await current.ended;
      if (stopping.signal.aborted) return;
      if (hopeless) {
        options.onGivenUp(how);
        return;
      }
      failures = await startAgain(how, Date.now() - startedAt > STEADY_MS ? 1 : failures + 1);
    }
  }

  const watching = watch().catch((error: unknown) => {
    if (!stopping.signal.aborted) options.onGivenUp(coerceError(error).message);
  });
  return {
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
      await current.stop(); // a start that was under way while we stopped
    },
    restart: () => current.stop(),
    kill() {
      stopping.abort();
      current.kill();
    },
  };
}
