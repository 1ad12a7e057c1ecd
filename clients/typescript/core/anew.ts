import { Unreachable } from './failures.ts';

const TRIES = 3;
const FIRST_PAUSE_MS = 500;

/**
 * Does something from its beginning until it is done, at most three times, as long as only the way to the server breaks.
 * @param wait Waits some milliseconds.
 */
export async function anew<Result>(
  attempt: () => Promise<Result>,
  wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === TRIES || !(error instanceof Unreachable)) throw error;
      await wait(FIRST_PAUSE_MS * 2 ** (tries - 1));
    }
  }
}
