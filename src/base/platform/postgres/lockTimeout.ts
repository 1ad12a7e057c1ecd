import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { connectPostgres, postgresErrorCode } from './postgresClient.ts';

export interface LockPatience {
  /** For looking at who stands in the way. */
  databaseUrl: string;
  /** How long to go on trying, in milliseconds; default a minute. */
  lockPatienceMs?: number;
  /** Told once, when there is something to wait for. */
  onWait?: (message: string) => void;
}

/** Whoever waits for a whole table makes all who come later wait as well: never longer than this at a time. */
const TURN_MS = 2_000;
/** In between, those who came later have their turn. */
const PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Does `work` in a transaction that waits for locks in short turns, and rolls it back and tries again when a turn was not
 * enough, so that a session which keeps a table open does not stop everybody else behind it.
 * @param what For messages: `migration 0004_x`.
 * @throws WarrenError UNAVAILABLE that names who stands in the way, once the patience is over; else what `work` throws.
 */
export async function withLockTimeout(
  client: pg.Client,
  { databaseUrl, lockPatienceMs = 60_000, onWait }: LockPatience,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + lockPatienceMs;
  for (let turn = 1; ; turn++) {
    const watch = turn === 1 ? null : await watchBlockers(client, databaseUrl);
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${Math.min(TURN_MS, lockPatienceMs)}`);
      await work();
      await client.query('COMMIT');
      return;
    } catch (thrown) {
      await client.query('ROLLBACK').catch(() => {});
      if (postgresErrorCode(thrown) !== LOCK_NOT_AVAILABLE) throw thrown;
      if (watch !== null) {
        const message = `${what} waits for ${watch.found() ?? 'a lock of another session'}`;
        if (performance.now() > deadline) {
          const advice = 'end that session, or try again when it is done';
          throw new WarrenError('UNAVAILABLE', `${message}; ${advice}`, { cause: thrown });
        }
        if (turn === 2) onWait?.(message);
      }
    } finally {
      await watch?.end();
    }
    await delay(PAUSE_MS);
  }
}

const blockerSchema = z.object({
  pid: z.number(),
  name: z.string().nullable(),
  user: z.string().nullable(),
  state: z.string().nullable(),
  since: z.date().nullable(),
});

/** Looks, over a connection of its own, at who keeps `client` waiting. */
async function watchBlockers(client: pg.Client, databaseUrl: string) {
  const watcher = await connectPostgres(databaseUrl, { applicationName: 'warren migrations' });
  const own: unknown = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
  let found: string | null = null;
  const look = async (): Promise<void> => {
    const { rows } = await watcher.query(
      `SELECT pid, application_name AS name, usename AS user, state, xact_start AS since FROM pg_stat_activity
       WHERE pid = ANY(pg_blocking_pids($1)) ORDER BY xact_start LIMIT 1`,
      [own],
    );
    if (rows.length > 0) found = describe(blockerSchema.parse(rows[0]));
  };
  const timer = setInterval(() => void look().catch(() => {}), 200);
  return {
    found: () => found,
    end: async (): Promise<void> => {
      clearInterval(timer);
      await watcher.end();
    },
  };
}

function describe({ pid, name, user, state, since }: z.infer<typeof blockerSchema>): string {
  const program = name === null || name === '' ? 'a program without a name' : `"${name}"`;
  const begun = since === null ? '' : `, its transaction open since ${since.toISOString()}`;
  return `session ${pid} of ${program} (user ${user ?? 'unknown'}, ${state ?? 'state unknown'}${begun})`;
}
