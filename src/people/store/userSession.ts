import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Prisma, TokenRole } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { idRow, queryRows } from '#src/base/database/queryRows.ts';

const sessionRow = z.object({
  id: z.string(),
  userId: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
  role: z.enum(TokenRole).nullable(),
  mayQueueCommands: z.boolean(),
  /** Whether the hash asked for is the session's own, rather than the one before. */
  isCurrent: z.boolean(),
  secondsSinceRotation: z.number(),
  /** Whether its last use was written down more than a minute ago. */
  isUseStale: z.boolean(),
});
/** A session that holds, of a person who is not disabled. */
export type SessionRecord = z.infer<typeof sessionRow>;

// Whether a session holds is judged by the database's clock, which all servers share.
const holding = (idleSeconds: number): Prisma.Sql => Prisma.sql`
  user_session.expires_at > now() AND user_session.used_at > now() - make_interval(secs => ${idleSeconds}::float8)
  AND app_user.disabled_at IS NULL`;
const COLUMNS = Prisma.sql`user_session.id, user_id AS "userId", email, email_verified AS "emailVerified", name, role, may_queue_commands AS "mayQueueCommands",
  extract(epoch FROM now() - rotated_at)::float8 AS "secondsSinceRotation",
  used_at < now() - interval '1 minute' AS "isUseStale"`;

/** Begins a session; those that have ended are removed. */
export async function insertSession(
  connection: Connection,
  session: { userId: string; tokenHash: string; seconds: number; idleSeconds: number },
): Promise<void> {
  await connection.$executeRaw`
    DELETE FROM user_session WHERE expires_at < now()
      OR used_at < now() - make_interval(secs => ${session.idleSeconds}::float8)`;
  await connection.$executeRaw`
    INSERT INTO user_session (id, user_id, token_hash, expires_at)
    VALUES (${randomUUID()}::uuid, ${session.userId}::uuid, ${session.tokenHash},
      now() + make_interval(secs => ${session.seconds}::float8))`;
}

/** The session that has this hash, or had it until its last rotation. */
export async function findSessionByHash(
  connection: Connection,
  hash: string,
  idleSeconds: number,
): Promise<SessionRecord | null> {
  const rows = await queryRows(connection, sessionRow)`
    SELECT ${COLUMNS}, token_hash = ${hash} AS "isCurrent"
    FROM user_session JOIN app_user ON app_user.id = user_id
    WHERE (token_hash = ${hash} OR previous_hash = ${hash}) AND ${holding(idleSeconds)}
    ORDER BY token_hash = ${hash} DESC LIMIT 1`;
  return rows[0] ?? null;
}

/** The session with this id. */
export async function findSession(
  connection: Connection,
  id: string,
  idleSeconds: number,
): Promise<SessionRecord | null> {
  const rows = await queryRows(connection, sessionRow)`
    SELECT ${COLUMNS}, true AS "isCurrent" FROM user_session JOIN app_user ON app_user.id = user_id
    WHERE user_session.id = ${id}::uuid AND ${holding(idleSeconds)}`;
  return rows[0] ?? null;
}

/** Gives a session another hash. @returns whether it still had the one given: of several requests at once, one is answered so. */
export async function rotateSession(
  connection: Connection,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> {
  const rows = await queryRows(connection, idRow)`
    WITH rotated AS (
      UPDATE user_session SET token_hash = ${to}, previous_hash = ${from}, rotated_at = now(), used_at = now()
      WHERE id = ${id}::uuid AND token_hash = ${from} RETURNING id, user_id
    ), seen AS (UPDATE app_user SET seen_at = now() FROM rotated WHERE app_user.id = rotated.user_id)
    SELECT id FROM rotated`;
  return rows.length > 0;
}

/** Notes that a session is in use, and its person here. */
export async function touchSession(connection: Connection, id: string): Promise<void> {
  await connection.$executeRaw`
    WITH used AS (UPDATE user_session SET used_at = now() WHERE id = ${id}::uuid RETURNING user_id)
    UPDATE app_user SET seen_at = now() FROM used WHERE app_user.id = used.user_id`;
}

/** Ends the session that has this hash, or had it until its last rotation. */
export async function deleteSessionByHash(connection: Connection, hash: string): Promise<void> {
  await connection.$executeRaw`DELETE FROM user_session WHERE token_hash = ${hash} OR previous_hash = ${hash}`;
}

/** Ends a session. */
export async function deleteSession(connection: Connection, id: string): Promise<void> {
  await connection.$executeRaw`DELETE FROM user_session WHERE id = ${id}::uuid`;
}
