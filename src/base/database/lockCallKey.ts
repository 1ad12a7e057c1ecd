import type { Connection } from './connection.ts';

/** Lets one call of the same key at a time make what it makes, until the transaction ends. */
export async function lockCallKey(connection: Connection, id: string): Promise<void> {
  await connection.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${id}, 22353))`;
}
