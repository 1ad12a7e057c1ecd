import type { RequestHandler } from 'express';
import type { ServiceContext } from '../services/serviceContext.ts';
import { pingDatabase } from '../store/pingDatabase.ts';

const TIMEOUT_MS = 3_000;

/** What `/health` answers: with status 200 when everything works, 503 when not. */
export interface Health {
  status: 'ok' | 'degraded';
  database: 'ok' | 'away';
  queue: 'ok' | 'away';
}

async function works(check: () => Promise<unknown>): Promise<'ok' | 'away'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'away'>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, 'away');
  });
  const answer = check().then(
    () => 'ok' as const,
    () => 'away' as const,
  );
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Asks the database and the queue; needs no token, and tells nothing but whether they answer. */
export function health(services: ServiceContext): RequestHandler {
  return async (_request, response) => {
    const [database, queue] = await Promise.all([
      works(() => pingDatabase(services.db)),
      works(() => services.queue.counts()),
    ]);
    const ok = database === 'ok' && queue === 'ok';
    const answer: Health = { status: ok ? 'ok' : 'degraded', database, queue };
    response
      .status(ok ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json(answer);
  };
}
