import pg from 'pg';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { KEEP_ALIVE_MS, WITHOUT_COMPILER } from './postgresPool.ts';

export interface PostgresClientOptions {
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  connectTimeoutMs?: number;
  /** A query that has not been answered by then fails; default two minutes, 0 for never. */
  answerMs?: number;
}

const ANSWER_MS = 120_000;

/** `host:port/database` of an address, without the password: for messages. */
export function describeDatabase(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
}

/**
 * One connected client of its own, outside any pool: for LISTEN, advisory locks and administration. The caller ends it.
 * @throws WarrenError UNAVAILABLE that says which server, and what was wrong with it.
 */
export async function connectPostgres(url: string, options: PostgresClientOptions): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: options.applicationName,
    options: WITHOUT_COMPILER,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    query_timeout: options.answerMs ?? ANSWER_MS,
  });
  // A connection that breaks later fails the next query; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (thrown) {
    await client.end().catch(() => {});
    throw new WarrenError('UNAVAILABLE', explain(url, thrown), { cause: thrown });
  }
}

/** SQLSTATE or system error code of a failed query or connection, or null. */
export function postgresErrorCode(thrown: unknown): string | null {
  const inner = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  return inner instanceof Error && 'code' in inner && typeof inner.code === 'string' ? inner.code : null;
}

function explain(url: string, thrown: unknown): string {
  const where = describeDatabase(url);
  switch (postgresErrorCode(thrown)) {
    case 'ECONNREFUSED':
      return `PostgreSQL at ${where}: nothing listens there; start the server, or correct DATABASE_URL`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `PostgreSQL at ${where}: the host name cannot be found; correct DATABASE_URL`;
    case '28P01':
    case '28000':
      return `PostgreSQL at ${where}: the user or password was refused; correct DATABASE_URL`;
    case '3D000':
      return `PostgreSQL at ${where}: there is no such database; create it (CREATE DATABASE), or correct DATABASE_URL`;
    case '08P01':
      return `PostgreSQL at ${where}: ${coerceError(thrown).message}${adviceForPooler(thrown)}`;
    default:
      return `PostgreSQL at ${where}: ${coerceError(thrown).message}`;
  }
}

/** pgbouncer refuses connections that bring settings of their own, unless it is told to drop those. */
function adviceForPooler(thrown: unknown): string {
  if (!/unsupported startup parameter/.test(coerceError(thrown).message)) return '';
  return ': a pooler such as pgbouncer stands before it; give the address of PostgreSQL itself, or see docs/deploy.md';
}
