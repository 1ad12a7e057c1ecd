import type { RequestHandler } from 'express';
import type { PartState } from '../base/contracts/health.ts';
import type { Logger } from '../base/platform/logger.ts';
import { requireRoom } from '../base/platform/postgres/requireRoom.ts';
import type { ServiceContext } from '../base/database/serviceContext.ts';
import { pingDatabase } from '../base/database/connection.ts';

const TIMEOUT_MS = 3_000;
/** Opening a connection on a busy machine takes its time. */
const WRITE_TIMEOUT_MS = 10_000;
/** Between two tries to write, and after one that failed. */
const WRITE_EVERY_MS = 10_000;
const WRITE_AGAIN_MS = 2_000;

/** What `/health` and `/ready` answer: with status 200 when everything works, 503 when not. */
export interface Health {
  /** `ending`, of `/ready` alone: the server still serves, and is about to end. */
  status: 'ok' | 'degraded' | 'ending';
  database: PartState;
  queue: PartState;
}

async function works(check: () => Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false);
  });
  const answer = check().then(
    () => true as const,
    () => false as const,
  );
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Tries now and then whether a part takes writes; what the last try has found holds until the next has ended, however long that takes. */
function writeTry(write: () => Promise<unknown>, onChange: (works: boolean) => void): () => Promise<boolean> {
  let last = true;
  let current: Promise<boolean> | null = null;
  let nextMs = 0;
  return async () => {
    if (performance.now() >= nextMs) {
      current ??= works(write, WRITE_TIMEOUT_MS).then((found) => {
        if (found !== last) onChange(found);
        last = found;
        current = null;
        nextMs = performance.now() + (found ? WRITE_EVERY_MS : WRITE_AGAIN_MS);
        return found;
      });
    }
    if (current === null) return last;
    let timer: NodeJS.Timeout | undefined;
    const soon = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(last), TIMEOUT_MS);
    });
    return await Promise.race([current, soon]).finally(() => clearTimeout(timer));
  };
}

/**
 * Asks the database and the queue, and has each write something that it takes away again; needs no token, and tells nothing but whether
 * they answer and take writes. Requests that come while they are asked share the answer, so that however many cost one query.
 * `/ready` is for a balancer: it says no from the moment at which the server has been asked to end, and yes where a disk is full, since
 * pages can still be read.
 */
export function healthRoutes(
  { db, queue }: ServiceContext,
  { isEnding, logger }: { isEnding(): boolean; logger: Pick<Logger, 'error' | 'info'> },
): { health: RequestHandler; ready: RequestHandler } {
  const told =
    (part: string) =>
    (found: boolean): void =>
      found ? logger.info(`the ${part} takes writes again`) : logger.error(`the ${part} takes no writes`);
  const databaseWrites = writeTry(() => requireRoom(db), told('database'));
  const queueWrites = writeTry(() => queue.tryWrite(), told('queue'));
  const part = async (ping: () => Promise<unknown>, writes: () => Promise<boolean>): Promise<PartState> => {
    if (!(await works(ping, TIMEOUT_MS))) return 'away';
    return (await writes()) ? 'ok' : 'no writes';
  };
  const look = async (tries: { database(): Promise<boolean>; queue(): Promise<boolean> }): Promise<Health> => {
    const [database, queueState] = await Promise.all([
      part(() => pingDatabase(db), tries.database),
      part(() => queue.counts(), tries.queue),
    ]);
    return { status: database === 'ok' && queueState === 'ok' ? 'ok' : 'degraded', database, queue: queueState };
  };
  const answering = (
    tries: Parameters<typeof look>[0],
    shown: (found: Health) => Health = (found) => found,
  ): RequestHandler => {
    let current: Promise<Health> | null = null;
    return async (_request, response) => {
      current ??= look(tries).finally(() => {
        current = null;
      });
      const answer = shown(await current);
      response
        .status(answer.status === 'ok' ? 200 : 503)
        .set('Cache-Control', 'no-store')
        .json(answer);
    };
  };
  const untried = async () => true;
  return {
    health: answering({ database: databaseWrites, queue: queueWrites }),
    ready: answering({ database: untried, queue: untried }, (found) =>
      isEnding() ? { ...found, status: 'ending' } : found,
    ),
  };
}
