import type { RequestHandler } from 'express';
import type { ServiceContext } from '../services/serviceContext.ts';
import { pingDatabase } from '../store/database/connection.ts';

const TIMEOUT_MS = 3_000;

/** What `/health` and `/ready` answer: with status 200 when everything works, 503 when not. */
export interface Health {
  /** `ending`, of `/ready` alone: the server still serves, and is about to end. */
  status: 'ok' | 'degraded' | 'ending';
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

async function look({ db, queue }: ServiceContext): Promise<Health> {
  const answers = await Promise.all([works(() => pingDatabase(db)), works(() => queue.counts())]);
  const status = answers.every((answer) => answer === 'ok') ? 'ok' : 'degraded';
  return { status, database: answers[0], queue: answers[1] };
}

/**
 * Asks the database and the queue; needs no token, and tells nothing but whether they answer. Requests that come while
 * they are asked share the answer, so that however many cost one query. `/ready` is for a balancer: it says no, too, from
 * the moment at which the server has been asked to end.
 */
export function healthRoutes(
  services: ServiceContext,
  isEnding: () => boolean,
): { health: RequestHandler; ready: RequestHandler } {
  let current: Promise<Health> | null = null;
  const answering =
    (shown: (found: Health) => Health): RequestHandler =>
    async (_request, response) => {
      current ??= look(services).finally(() => {
        current = null;
      });
      const answer = shown(await current);
      response
        .status(answer.status === 'ok' ? 200 : 503)
        .set('Cache-Control', 'no-store')
        .json(answer);
    };
  return {
    health: answering((found) => found),
    ready: answering((found) => (isEnding() ? { ...found, status: 'ending' } : found)),
  };
}
