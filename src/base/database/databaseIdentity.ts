import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Connection } from './connection.ts';
import { idRow, queryRows } from './queryRows.ts';

const keyRow = z.object({ key: z.string() });

/** What this database is known by wherever it is moved or restored to; made when it has none yet. */
export async function databaseIdentity(connection: Connection): Promise<string> {
  const known = await findIdentity(connection);
  if (known !== null) return known;
  await connection.$executeRaw`INSERT INTO database_identity (id) VALUES (${randomUUID()}::uuid) ON CONFLICT DO NOTHING`;
  const made = await findIdentity(connection);
  if (made === null) throw new Error('internal: the database has no identity');
  return made;
}

async function findIdentity(connection: Connection): Promise<string | null> {
  const rows = await queryRows(connection, idRow)`SELECT id FROM database_identity`;
  return rows[0]?.id ?? null;
}

/** What signs the addresses under which browsers show what was uploaded; the same for all servers of this database. */
export async function findViewKey(connection: Connection): Promise<string> {
  await databaseIdentity(connection);
  const rows = await queryRows(connection, keyRow)`SELECT view_key AS key FROM database_identity`;
  if (rows[0] === undefined) throw new Error('internal: the database has no identity');
  return rows[0].key;
}

const epochRow = z.object({ epoch: z.uuid() });

/** What is new with every restore of this database. */
export async function findEpoch(connection: Connection): Promise<string> {
  await databaseIdentity(connection);
  const rows = await queryRows(connection, epochRow)`SELECT epoch::text FROM database_identity`;
  if (rows[0] === undefined) throw new Error('internal: the database has no identity');
  return rows[0].epoch;
}
