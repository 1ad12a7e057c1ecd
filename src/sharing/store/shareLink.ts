import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { jsonObject, queryRows, timestamp } from '#src/base/database/queryRows.ts';

const linkRow = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  projectId: z.string(),
  project: z.string(),
  target: jsonObject,
  withProgram: z.boolean(),
  madeBy: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  withdrawnAt: timestamp.nullable(),
  usedAt: timestamp.nullable(),
  refreshedAt: timestamp.nullable(),
});
/** A row of `share_link` without the hash, with the name of its project. */
export type ShareLinkRecord = z.infer<typeof linkRow>;

const COLUMNS = Prisma.sql`link.id, link.kind, link.title, link.project_id AS "projectId", project.name AS project, link.target,
  link.with_program AS "withProgram",  link.made_by AS "madeBy", link.created_at AS "createdAt", link.expires_at AS "expiresAt",
  link.withdrawn_at AS "withdrawnAt", link.used_at AS "usedAt", link.refreshed_at AS "refreshedAt"`;

// Whether a link holds is judged by the database's clock, which all servers share.
const HOLDS = Prisma.sql`link.withdrawn_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now())`;

/** Keeps a link's sha256 and what it shows. */
export async function insertShareLink(
  connection: Connection,
  link: Pick<ShareLinkRecord, 'kind' | 'title' | 'projectId' | 'target' | 'withProgram' | 'madeBy' | 'expiresAt'> & {
    tokenHash: string;
    /** The person or the token that makes it. */
    makerId: string | null;
  },
): Promise<ShareLinkRecord> {
  const id = randomUUID();
  const { kind, title, projectId, target, withProgram, madeBy, makerId, expiresAt, tokenHash } = link;
  await connection.$executeRaw`
    INSERT INTO share_link (id, token_hash, kind, title, project_id, target, with_program, made_by, maker_id, expires_at)
    VALUES (${id}::uuid, ${tokenHash}, ${kind}, ${databaseText(title)}, ${projectId}::uuid, ${databaseJson(target)}::jsonb, ${withProgram},
      ${databaseText(madeBy)}, ${makerId}::uuid, ${expiresAt?.toISOString() ?? null}::timestamptz)`;
  const made = await findShareLink(connection, id);
  if (made === null) throw new Error('internal: the link is gone again');
  return made;
}

/** The link of this id, whether it holds or not; null when there is none. */
export async function findShareLink(connection: Connection, id: string): Promise<ShareLinkRecord | null> {
  const rows = await queryRows(connection, linkRow)`
    SELECT ${COLUMNS} FROM share_link link JOIN project ON project.id = link.project_id WHERE link.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** The link with this sha256 if it holds; notes its use, at most once a minute. */
export async function touchShareLink(connection: Connection, tokenHash: string): Promise<ShareLinkRecord | null> {
  const rows = await queryRows(connection, linkRow)`
    SELECT ${COLUMNS} FROM share_link link JOIN project ON project.id = link.project_id
    WHERE link.token_hash = ${tokenHash} AND ${HOLDS}`;
  const link = rows[0] ?? null;
  if (link !== null) {
    await connection.$executeRaw`
      UPDATE share_link SET used_at = now()
      WHERE id = ${link.id}::uuid AND (used_at IS NULL OR used_at < now() - interval '1 minute')`;
  }
  return link;
}

/** Whether a link holds and shows a run. */
export async function linkShows(connection: Connection, id: string, runId: string): Promise<boolean> {
  const rows = await queryRows(connection, z.object({ shows: z.boolean() }))`
    SELECT EXISTS (SELECT FROM share_link link JOIN share_link_run shown ON shown.share_link_id = link.id
      WHERE link.id = ${id}::uuid AND shown.run_id = ${runId}::uuid AND ${HOLDS}) AS shows`;
  return rows[0]?.shows === true;
}

/** Links of projects, of all when null; the newest first. */
export async function listShareLinks(
  connection: Connection,
  { projectIds, most }: { projectIds: readonly string[] | null; most: number },
): Promise<ShareLinkRecord[]> {
  const within = projectIds === null ? null : [...projectIds];
  return await queryRows(connection, linkRow)`
    SELECT ${COLUMNS} FROM share_link link JOIN project ON project.id = link.project_id
    WHERE ${within}::uuid[] IS NULL OR link.project_id = ANY(${within}::uuid[]) ORDER BY link.created_at DESC, link.id LIMIT ${most}::int`;
}

/** Withdraws a link; nothing happens to one that was withdrawn before. */
export async function withdrawLink(connection: Connection, id: string): Promise<void> {
  await connection.$executeRaw`UPDATE share_link SET withdrawn_at = now() WHERE id = ${id}::uuid AND withdrawn_at IS NULL`;
}

/** Withdraws the links that people or tokens have made. @returns how many held until now. */
export async function withdrawLinksOf(connection: Connection, makerIds: readonly string[]): Promise<number> {
  const ids = [...makerIds];
  return await connection.$executeRaw`
    UPDATE share_link link SET withdrawn_at = now() WHERE link.maker_id = ANY(${ids}::uuid[]) AND ${HOLDS}`;
}

/** Makes these the runs that a link shows, and notes when. Runs that are gone meanwhile are left out. */
export async function putLinkRuns(connection: Connection, id: string, runIds: readonly string[]): Promise<void> {
  const ids = [...runIds];
  await connection.$executeRaw`
    DELETE FROM share_link_run WHERE share_link_id = ${id}::uuid AND run_id <> ALL(${ids}::uuid[])`;
  await connection.$executeRaw`
    INSERT INTO share_link_run (share_link_id, run_id)
    SELECT ${id}::uuid, run.id FROM run WHERE run.id = ANY(${ids}::uuid[]) ON CONFLICT DO NOTHING`;
  await connection.$executeRaw`UPDATE share_link SET refreshed_at = now() WHERE id = ${id}::uuid`;
}

/** Locks a link whose runs are to be looked for again; false where another does so, or has just done so. */
export async function lockStaleLink(connection: Connection, id: string, staleSeconds: number): Promise<boolean> {
  const rows = await queryRows(connection, z.object({ id: z.string() }))`
    SELECT id FROM share_link WHERE id = ${id}::uuid
      AND (refreshed_at IS NULL OR refreshed_at < now() - ${staleSeconds}::int * interval '1 second')
    FOR NO KEY UPDATE SKIP LOCKED`;
  return rows.length > 0;
}
