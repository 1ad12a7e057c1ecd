import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.ts';

export type Database = PrismaClient;

export interface DatabaseOptions {
  /** Connections at most; default 10. More help only while that many queries wait at once. */
  poolSize?: number;
}

/**
 * A Prisma client over its own pool of connections. It connects on the first query, and again after a restart of the
 * server: a query in flight at that moment fails, later ones succeed.
 * @param url `postgresql:` address.
 */
export function openDatabase(url: string, { poolSize = 10 }: DatabaseOptions = {}): Database {
  const adapter = new PrismaPg(
    {
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      // The adapter reads every timestamp as UTC.
      options: '-c timezone=UTC',
    },
    // A connection that breaks while idle is replaced on the next query, which reports the error if there still is one.
    { onPoolError: () => {}, onConnectionError: () => {} },
  );
  return new PrismaClient({ adapter });
}

/** Ends every connection of the client's pool. */
export async function closeDatabase(database: Database): Promise<void> {
  await database.$disconnect();
}
