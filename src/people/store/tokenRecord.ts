import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Prisma, TokenRole } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';

export type { TokenRole };

/**
 * A row of `api_token`, without the hash. `mayQueueCommands` is whether its holder may have workers execute commands,
 * `mayManageQueue` whether they may pause the queue and drain workers.
 */
const tokenRow = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(TokenRole),
  mayQueueCommands: z.boolean(),
  mayManageQueue: z.boolean(),
  /** Whether it works in the projects of its grants alone. */
  namedProjects: z.boolean(),
  /** Whether a person made it for themselves: it then allows no more than that person may at the time. */
  isOwn: z.boolean(),
  /** The person or the token that made it; null: the command line, or a Warren that did not note it. */
  makerId: z.string().nullable(),
  madeBy: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});
export type TokenRecord = z.infer<typeof tokenRow>;

const COLUMNS = Prisma.sql`id, name, role, may_queue_commands AS "mayQueueCommands", may_manage_queue AS "mayManageQueue",
  named_projects AS "namedProjects", is_own AS "isOwn", maker_id AS "makerId", made_by AS "madeBy",
  created_at AS "createdAt", last_used_at AS "lastUsedAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt"`;

// Whether a token holds is judged by the database's clock, which all servers share: those queries are SQL.

/** Keeps a token's sha256. @returns null when a token that still holds has this name. */
export async function insertToken(
  connection: Connection,
  token: Omit<TokenRecord, 'id' | 'createdAt' | 'lastUsedAt' | 'revokedAt'> & { tokenHash: string },
): Promise<TokenRecord | null> {
  const name = databaseText(token.name);
  await connection.$executeRaw`
    DELETE FROM api_token WHERE name = ${name} AND (revoked_at IS NOT NULL OR expires_at < now())`;
  const rows = await queryRows(connection, tokenRow)`
    INSERT INTO api_token (id, name, token_hash, role, may_queue_commands, may_manage_queue, named_projects, is_own,
      maker_id, made_by, expires_at)
    VALUES (${randomUUID()}::uuid, ${name}, ${token.tokenHash}, ${token.role}::token_role,
      ${token.mayQueueCommands}, ${token.mayManageQueue}, ${token.namedProjects}, ${token.isOwn},
      ${token.makerId}::uuid, ${databaseText(token.madeBy)},
      ${token.expiresAt?.toISOString() ?? null}::timestamptz)
    ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`;
  return rows[0] ?? null;
}

/** The token with this sha256 if it holds; notes its use, at most once a minute. */
export async function touchToken(connection: Connection, tokenHash: string): Promise<TokenRecord | null> {
  const rows = await queryRows(connection, tokenRow)`
    SELECT ${COLUMNS} FROM api_token
    WHERE token_hash = ${tokenHash} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;
  const token = rows[0] ?? null;
  if (token !== null) {
    await connection.$executeRaw`
      UPDATE api_token SET last_used_at = now()
      WHERE id = ${token.id}::uuid AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`;
  }
  return token;
}

/** Whether the token of this id is there, neither revoked nor expired. */
export async function tokenHolds(connection: Connection, id: string): Promise<boolean> {
  const rows = await queryRows(connection, z.object({ id: z.string() }))`
    SELECT id FROM api_token
    WHERE id = ${id}::uuid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;
  return rows.length > 0;
}

/** All tokens, the newest first. */
export async function selectTokens(connection: Connection): Promise<TokenRecord[]> {
  return await connection.apiToken.findMany({
    omit: { tokenHash: true },
    orderBy: [{ createdAt: 'desc' }, { name: 'asc' }],
  });
}

/** The tokens that a person has made for themselves, the newest first. */
export async function listOwnTokenRecords(connection: Connection, makerId: string): Promise<TokenRecord[]> {
  return await connection.apiToken.findMany({
    where: { makerId, isOwn: true },
    omit: { tokenHash: true },
    orderBy: [{ createdAt: 'desc' }, { name: 'asc' }],
  });
}

/** Makes a token of this name void that the person has made for themselves. @returns null when there is none that holds. */
export async function voidOwnToken(connection: Connection, name: string, makerId: string): Promise<TokenRecord | null> {
  const [voided] = await connection.apiToken.updateManyAndReturn({
    where: { name: databaseText(name), makerId, isOwn: true, revokedAt: null },
    data: { revokedAt: new Date() },
    omit: { tokenHash: true },
  });
  return voided ?? null;
}

/** Gives a token that is not revoked another end. */
export async function moveTokenEnd(connection: Connection, id: string, expiresAt: Date): Promise<void> {
  await connection.apiToken.updateMany({ where: { id, revokedAt: null }, data: { expiresAt } });
}

/** Makes the token of this name void. @returns null when there is none that holds. */
export async function voidToken(connection: Connection, name: string): Promise<TokenRecord | null> {
  const [voided] = await connection.apiToken.updateManyAndReturn({
    where: { name: databaseText(name), revokedAt: null },
    data: { revokedAt: new Date() },
    omit: { tokenHash: true },
  });
  return voided ?? null;
}

/**
 * Makes all tokens void that somebody has made, and those that these tokens have made in turn.
 * @returns the ids of those that there ever were, and the names of those that held until now.
 */
export async function voidTokensOf(
  connection: Connection,
  makerId: string,
): Promise<{ ids: string[]; names: string[] }> {
  const made = await queryRows(connection, z.object({ id: z.string() }))`
    WITH RECURSIVE made AS (
      SELECT id FROM api_token WHERE maker_id = ${makerId}::uuid
      UNION SELECT token.id FROM api_token token JOIN made ON token.maker_id = made.id
    ) SELECT id FROM made`;
  const ids = made.map(({ id }) => id);
  const voided = await queryRows(connection, z.object({ name: z.string() }))`
    UPDATE api_token SET revoked_at = now() WHERE id = ANY(${ids}::uuid[]) AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now()) RETURNING name`;
  return { ids, names: voided.map(({ name }) => name).toSorted() };
}
