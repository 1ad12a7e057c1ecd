import { setTimeout as wait } from 'node:timers/promises';
import { WarrenError } from '#src/base/contracts/errors.ts';

/** Milliseconds before each further try. */
const PAUSES_MS = [250, 1_000, 4_000, 10_000];

/** Sends again what a broken connection or a busy server did not take: every request of an import may be repeated. */
export async function resend<Result>(send: () => Promise<Result>): Promise<Result> {
  for (const pause of PAUSES_MS) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof WarrenError) || (error.code !== 'UNAVAILABLE' && error.code !== 'TIMED_OUT')) throw error;
      await wait(pause);
    }
  }
  return await send();
}
