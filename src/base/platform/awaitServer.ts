import { setTimeout as delay } from 'node:timers/promises';
import { WarrenError } from '../contracts/errors.ts';
import { coerceError } from '../lib/coerceError.ts';

/** How long a start waits for the servers that it needs. */
export interface StartPatience {
  /** WARREN_START_SECONDS; 0 tries once. */
  seconds: number;
  say(line: string): void;
  /** Gives up at once. */
  signal?: AbortSignal;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/**
 * Does what needs a server, again and again while that may still be starting, as after a reboot of the machine on which all of
 * them run. Says once what it waits for, and once that it has come.
 * @param isStarting Whether a failure may be over soon; others are thrown at once.
 * @throws what the last try has thrown, which then says, too, for how long it was tried.
 */
export async function awaitServer<T>(
  attempt: () => Promise<T>,
  isStarting: (thrown: unknown) => boolean,
  { seconds, say, signal }: StartPatience,
): Promise<T> {
  const deadline = performance.now() + 1000 * seconds;
  let waited = false;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      const result = await attempt();
      if (waited) say('it answers now');
      return result;
    } catch (thrown) {
      signal?.throwIfAborted();
      if (!isStarting(thrown) || seconds === 0) throw thrown;
      const { message } = coerceError(thrown);
      const left = deadline - performance.now();
      if (left <= 0) {
        const told = `${message} (tried for ${seconds} s, as WARREN_START_SECONDS says)`;
        throw new WarrenError('UNAVAILABLE', told, { cause: thrown });
      }
      if (!waited) say(`${message}: trying again for ${seconds} s (WARREN_START_SECONDS)`);
      waited = true;
      await delay(Math.min(waitMs, left), undefined, signal === undefined ? {} : { signal });
    }
  }
}
