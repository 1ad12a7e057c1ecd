import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { ANSWER_LIMITS } from './answerLimits.ts';
import { connectPostgres, describeDatabase } from './postgresClient.ts';
import { openPostgresPool } from './postgresPool.ts';

// Warren listens for notifications, holds locks, and says on a connection whose rows it may show: all of that belongs to a session.
// A pooler that gives every transaction another one would lose the first two and mix up the last, without an error.

const PROBE = 'warren.session_probe';
/** A connection that has to wait so long for another one's transaction shares it. */
const SHARED_MS = 3_000;
const TRIES = 3;

/**
 * Looks behind a pooler, by which PostgreSQL's process is another one than the connection was told. Without one it costs a query.
 * @param client a connection to `url`, in no transaction.
 * @throws WarrenError BAD_INPUT where a pooler does not keep sessions, or leaves out what Warren sets on each connection.
 */
export async function requireSessions(client: pg.Client, url: string): Promise<void> {
  const answer = await client.query('SELECT pg_backend_pid() AS pid');
  if (z.object({ pid: z.number() }).parse(answer.rows[0]).pid === Reflect.get(client, 'processID')) return;
  const where = `DATABASE_URL: a pooler stands before PostgreSQL at ${describeDatabase(url)}`;
  const advice = 'give the address of PostgreSQL itself';
  if (await sharesSessions(client, url)) {
    const fault = 'and gives each transaction another connection (pgbouncer: pool_mode = transaction or statement)';
    const needs = 'Warren needs sessions, for locks, notifications and the rights of tokens';
    throw new WarrenError(
      'BAD_INPUT',
      `${where} ${fault}; ${needs}: ${advice}, or of a pool with pool_mode = session`,
      {
        path: 'DATABASE_URL',
      },
    );
  }
  const lost = await lostSettings(url);
  if (lost.length === 0) return;
  const role = pg.escapeIdentifier(decodeURIComponent(new URL(url).username));
  const remedy = lost.map((setting) => `ALTER ROLE ${role} SET ${setting};`).join(' ');
  throw new WarrenError('BAD_INPUT', `${where} and drops settings of connections: execute ${remedy} or ${advice}`, {
    path: 'DATABASE_URL',
  });
}

/** As `requireSessions`, over a connection of its own. */
export async function requireSessionsOf(url: string): Promise<void> {
  const client = await connectPostgres(url, { applicationName: 'warren start' });
  try {
    await requireSessions(client, url);
  } finally {
    await client.end();
  }
}

/** Whether what one connection has set is met on another one, or is gone while another one has a transaction open. */
async function sharesSessions(client: pg.Client, url: string): Promise<boolean> {
  const second = await connectPostgres(url, { applicationName: 'warren start', answerMs: SHARED_MS });
  const read = async (reader: pg.Client): Promise<unknown> => {
    const { rows } = await reader.query(`SELECT coalesce(current_setting('${PROBE}', true), '') AS value`);
    return rows[0]?.value;
  };
  try {
    for (let turn = 0; turn < TRIES; turn++) {
      const mark = randomUUID();
      await client.query(`SELECT set_config('${PROBE}', $1, false)`, [mark]);
      await second.query('BEGIN');
      if ((await read(second)) === mark) return true;
      const kept = await Promise.race([read(client), delay(SHARED_MS, null, { ref: false })]);
      if (kept !== mark) return true;
      await second.query('COMMIT');
    }
    return false;
  } catch (thrown) {
    if (thrown instanceof Error && /timeout/i.test(thrown.message)) return true;
    throw thrown;
  } finally {
    await second.end().catch(() => {});
    await client.query(`SELECT set_config('${PROBE}', '', false)`).catch(() => {});
  }
}

const settingsSchema = z.object({ zone: z.string(), jit: z.string(), statement: z.string(), idle: z.string() });

/** Of what each connection sets, what has not reached PostgreSQL, as `name = 'value'`. */
async function lostSettings(url: string): Promise<string[]> {
  const pool = openPostgresPool(url, { size: 1, ...ANSWER_LIMITS });
  try {
    const { rows } = await pool.query(`SELECT current_setting('TimeZone') AS zone, current_setting('jit') AS jit,
      current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`);
    const { zone, jit, statement, idle } = settingsSchema.parse(rows[0]);
    return [
      ...(zone === 'UTC' ? [] : [`TimeZone = 'UTC'`]),
      ...(jit === 'off' ? [] : [`jit = 'off'`]),
      ...(statement === '0' ? [`statement_timeout = '10min'`] : []),
      ...(idle === '0' ? [`idle_in_transaction_session_timeout = '11min'`] : []),
    ];
  } finally {
    await pool.end();
  }
}
