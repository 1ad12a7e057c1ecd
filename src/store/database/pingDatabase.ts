import type { Connection } from './connection.ts';

/** Ends well when the database answers. */
export async function pingDatabase(connection: Connection): Promise<void> {
  await connection.$queryRaw`SELECT 1`;
}
