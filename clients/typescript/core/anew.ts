import { Unreachable } from './failures.ts';

const TRIES = 3;
const FIRST_PAUSE_MS = 500;

/**
 * Does something again until it is done, as long as only the way to the server breaks: at most three times in a row without
 * getting further than ever before.
 * @param reached How far it has come.
 * @param wait Waits some milliseconds.
 */
export async function anew<Result>(
  attempt: () => Promise<Result>,
  reached: () => number = () => 0,
  wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
): Promise<Result> {
  let furthest = 0;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (reached() > furthest) tries = 1;
      furthest = Math.max(furthest, reached());
      if (tries === TRIES) throw error;
      await wait(FIRST_PAUSE_MS * 2 ** (tries - 1));
    }
  }
}
