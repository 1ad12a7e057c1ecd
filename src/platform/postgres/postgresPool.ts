import { Socket } from 'node:net';
import pg from 'pg';
import type { AnswerLimits } from './answerLimits.ts';

export interface PostgresPoolOptions extends AnswerLimits {
  /** Connections at most. */
  size: number;
}

const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** The first sign of life that is asked of an idle connection. */
export const KEEP_ALIVE_MS = 10_000;

/**
 * A pool of connections that survives connections which die in silence (a firewall that forgot them, a host that
 * vanished): one in use on which nothing has moved for `silenceMs` is closed, which fails its query at once, and the idle
 * ones with it, since they went the same way.
 */
export function openPostgresPool(url: string, { size, statementMs, silenceMs }: PostgresPoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: silenceMs,
    // Timestamps are read as UTC.
    options: '-c timezone=UTC',
  });
  closeSilentConnections(pool, silenceMs);
  return pool;
}

function closeSilentConnections(pool: pg.Pool, silenceMs: number): void {
  const sockets = new Map<pg.PoolClient, Socket>();
  const inUse = new Set<pg.PoolClient>();

  pool.on('connect', (client) => {
    const { stream } = client.connection;
    if (!(stream instanceof Socket)) return;
    sockets.set(client, stream);
    stream.setTimeout(silenceMs);
    stream.on('timeout', () => {
      if (!inUse.has(client)) return;
      for (const [other, socket] of sockets) {
        if (other === client || !inUse.has(other)) socket.destroy(silence(silenceMs));
      }
    });
  });
  pool.on('acquire', (client) => {
    inUse.add(client);
  });
  pool.on('release', (_error, client) => {
    inUse.delete(client);
  });
  pool.on('remove', (client) => {
    inUse.delete(client);
    sockets.delete(client);
  });
}

/** In the form of a system error, by which Prisma knows that the connection failed and not the query. */
function silence(silenceMs: number): NodeJS.ErrnoException {
  const error = new Error(`PostgreSQL has not answered for ${silenceMs / 1000} s: the connection is given up`);
  return Object.assign(error, { code: 'ETIMEDOUT', errno: -110, syscall: 'read' });
}
