import { setTimeout as delay } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '#src/generated/prisma/client.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { ANSWER_LIMITS, type AnswerLimits } from './answerLimits.ts';
import { openPostgresPool, type SlowStatements } from './postgresPool.ts';

export type Database = PrismaClient;

const pools = new WeakMap<object, pg.Pool>();

export interface DatabaseOptions {
  /** Connections at most; default 10. More help only while that many queries wait at once. */
  poolSize?: number;
  /** How long an answer may take; default `ANSWER_LIMITS`. */
  limits?: AnswerLimits;
  /** Told of statements that took long. */
  slow?: SlowStatements | undefined;
  /** Whether statements are kept prepared, for programs that send the same few again and again; default false. */
  keepsPrepared?: boolean;
}

/** Each takes memory of every connection. */
const MOST_PREPARED = 200;
/** A statement whose columns a migration has changed fails on connections that have it prepared: until then at most. */
const PREPARED_SECONDS = 60;

/**
 * A Prisma client over its own pool of connections. It connects on the first query, and again after a restart of the
 * server or when connections have died in silence: a query in flight at that moment fails, later ones succeed.
 * @param url `postgresql:` address.
 */
export function openDatabase(
  url: string,
  { poolSize = 10, limits = ANSWER_LIMITS, slow, keepsPrepared = false }: DatabaseOptions = {},
): Database {
  // A connection that breaks while idle is replaced on the next query, which reports the error if there still is one.
  const pool = openPostgresPool(url, {
    ...{ size: poolSize, ...limits, slow },
    lifetimeSeconds: keepsPrepared ? PREPARED_SECONDS : null,
  });
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    onPoolError: () => {},
    onConnectionError: () => {},
    ...(keepsPrepared ? { statementNameGenerator: statementNames() } : {}),
  });
  const database = new PrismaClient({ adapter });
  registerPool(database, pool);
  return database;
}

/** Names of statements by their text, for as many as may be; others have none, and are prepared for one time. */
function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= MOST_PREPARED) return known ?? '';
    const name = `warren-${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/** Says which connections a client works on, for `connectionsOf`. */
export function registerPool(database: Database, pool: pg.Pool): void {
  pools.set(database, pool);
}

/** The connections below a client, for statements that are sent so often that Prisma would take longer than they do. */
export function connectionsOf(database: Database): pg.Pool {
  const pool = pools.get(database);
  invariant(pool !== undefined, 'the client was opened here');
  return pool;
}

/** As `connectionsOf`, for what may also be a transaction: that has a connection of its own, and undefined comes back. */
export function connectionsUnlessTransaction(database: object): pg.Pool | undefined {
  return pools.get(database);
}

/** How long a query under way may hold up the end: one on a connection that died in silence would for minutes. */
const GOODBYE_MS = 3_000;

/** Ends every connection of the client's pool; those with a query under way are given a moment for its answer. */
export async function closeDatabase(database: Database): Promise<void> {
  await Promise.race([database.$disconnect(), delay(GOODBYE_MS, undefined, { ref: false })]);
}
