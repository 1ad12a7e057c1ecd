import type { RequestHandler } from 'express';
import type { ServiceContext } from '../services/serviceContext.ts';
import { pingDatabase } from '../store/database/connection.ts';

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

async function look({ db, queue }: ServiceContext): Promise<Health> {
  const answers = await Promise.all([works(() => pingDatabase(db)), works(() => queue.counts())]);
  const status = answers.every((answer) => answer === 'ok') ? 'ok' : 'degraded';
  return { status, database: answers[0], queue: answers[1] };
}

/**
 * Asks the database and the queue; needs no token, and tells nothing but whether they answer. Requests that come while
 * they are asked share the answer, so that however many cost one query.
 */
export function health(services: ServiceContext): RequestHandler {
  let current: Promise<Health> | null = null;
  return async (_request, response) => {
    current ??= look(services).finally(() => {
      current = null;
    });
    const answer = await current;
    response
      .status(answer.status === 'ok' ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json(answer);
  };
}
