import { setTimeout as delay } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '#src/generated/prisma/client.ts';
import { ANSWER_LIMITS, type AnswerLimits } from './answerLimits.ts';
import { openPostgresPool, type SlowStatements } from './postgresPool.ts';

export type Database = PrismaClient;

export interface DatabaseOptions {
  /** Connections at most; default 10. More help only while that many queries wait at once. */
  poolSize?: number;
  /** How long an answer may take; default `ANSWER_LIMITS`. */
  limits?: AnswerLimits;
  /** Told of statements that took long. */
  slow?: SlowStatements | undefined;
}

/**
 * A Prisma client over its own pool of connections. It connects on the first query, and again after a restart of the
 * server or when connections have died in silence: a query in flight at that moment fails, later ones succeed.
 * @param url `postgresql:` address.
 */
export function openDatabase(
  url: string,
  { poolSize = 10, limits = ANSWER_LIMITS, slow }: DatabaseOptions = {},
): Database {
  // A connection that breaks while idle is replaced on the next query, which reports the error if there still is one.
  const adapter = new PrismaPg(openPostgresPool(url, { size: poolSize, ...limits, slow }), {
    disposeExternalPool: true,
    onPoolError: () => {},
    onConnectionError: () => {},
  });
  return new PrismaClient({ adapter });
}

/** How long a query under way may hold up the end: one on a connection that died in silence would for minutes. */
const GOODBYE_MS = 3_000;

/** Ends every connection of the client's pool; those with a query under way are given a moment for its answer. */
export async function closeDatabase(database: Database): Promise<void> {
  await Promise.race([database.$disconnect(), delay(GOODBYE_MS, undefined, { ref: false })]);
}
