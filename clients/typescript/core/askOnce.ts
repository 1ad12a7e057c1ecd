import { Unreachable } from './failures.ts';

/** Before each try after the first. */
const WAITS_MS = [500, 1_000, 2_000];

/**
 * The answer to a call with a key, by which the server makes once what it asks for: it is sent again where the answer is lost.
 * @throws Unreachable or Refused
 */
export async function askOnce<Answer>(
  ask: () => Promise<Answer>,
  waitsMs: readonly number[] = WAITS_MS,
): Promise<Answer> {
  for (const [tried, waitMs] of waitsMs.entries()) {
    try {
      return await ask();
    } catch (error) {
      // no server was there from the start
      const isVacant = tried === 0 && error instanceof Unreachable && /ECONNREFUSED|ENOTFOUND/.test(error.message);
      if (!(error instanceof Unreachable) || isVacant) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return await ask();
}
