import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

const lockedRow = z.object({ locked: z.boolean() });

/** Names the advisory lock of the artifact store's files in a database: "WARF" in ASCII. */
const LOCK = 0x57415246;

/**
 * While a session holds this, no artifact's file is removed. For clients outside Prisma, such as a backup that copies the
 * files which its snapshot lists: taken before the transaction of the snapshot begins, it ends with the session.
 */
export const KEEP_ARTIFACT_FILES_SQL = `SELECT pg_advisory_lock_shared(${LOCK})`;

/** Keeps every artifact's file from being removed until the transaction ends. Any number may hold this at once. */
export async function keepArtifactFiles(connection: Connection): Promise<void> {
  await connection.$executeRaw`SELECT pg_advisory_xact_lock_shared(${LOCK}::int8)`;
}

/**
 * Whether this transaction may remove artifacts' files, until it ends: nobody else does, and nobody keeps them. It never
 * waits, since those that come to keep files would then wait behind it.
 */
export async function mayRemoveArtifactFiles(connection: Connection): Promise<boolean> {
  const rows = await queryRows(connection, lockedRow)`
    SELECT pg_try_advisory_xact_lock(${LOCK}::int8) AS locked`;
  return rows[0]?.locked === true;
}
