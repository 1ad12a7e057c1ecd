import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { int8, jsonObject, queryRows, timestamp } from '#src/base/database/queryRows.ts';

const auditRow = z.object({
  id: int8,
  time: timestamp,
  actorKind: z.string(),
  actor: z.string(),
  action: z.string(),
  projects: z.array(z.string()),
  objects: z.array(z.string()),
  objectCount: z.int(),
  result: z.string(),
  details: jsonObject,
  requestId: z.string().nullable(),
});
/** A row of `audit_entry`: who did what. */
export type AuditRecord = z.infer<typeof auditRow>;

export type NewAuditEntry = Omit<AuditRecord, 'id' | 'time' | 'projects'> & {
  projectIds: readonly string[];
  /** Names of further projects. */
  projectNames: readonly string[];
};

/** Writes what was done down, with the names that the projects have now. */
export async function insertAuditEntry(connection: Connection, entry: NewAuditEntry): Promise<void> {
  const ids = [...entry.projectIds];
  await connection.$executeRaw`
    WITH concerned AS (
      SELECT id, name FROM project WHERE id = ANY(${ids}::uuid[]) OR name = ANY(${entry.projectNames.map(databaseText)}::text[]))
    INSERT INTO audit_entry (actor_kind, actor, action, project_ids, projects, objects, object_count, result, details, request_id)
    SELECT ${entry.actorKind}, ${databaseText(entry.actor)}, ${databaseText(entry.action)},
      coalesce((SELECT array_agg(id) FROM concerned), '{}'),
      coalesce((SELECT array_agg(name ORDER BY name) FROM concerned), '{}'),
      ${entry.objects.map(databaseText)}::text[], ${entry.objectCount}::int, ${entry.result},
      ${databaseJson(entry.details)}::jsonb, ${entry.requestId === null ? null : databaseText(entry.requestId)}`;
}

export interface AuditRange {
  since: Date | null;
  /** Entries before this one. */
  before: number | null;
  projectId: string | null;
  /** Only entries that concern nothing but these projects; null: all. */
  within: readonly string[] | null;
  actor: string | null;
  first: number;
}

/** Entries, the newest first. */
export async function listAuditEntries(connection: Connection, range: AuditRange): Promise<AuditRecord[]> {
  const { since, before, projectId, within, actor } = range;
  const conditions = [
    ...(since === null ? [] : [Prisma.sql`time >= ${since.toISOString()}::timestamptz`]),
    ...(before === null ? [] : [Prisma.sql`id < ${before}::int8`]),
    ...(projectId === null ? [] : [Prisma.sql`project_ids @> ARRAY[${projectId}]::uuid[]`]),
    ...(within === null ? [] : [Prisma.sql`project_ids <@ ${[...within]}::uuid[] AND project_ids <> '{}'`]),
    ...(actor === null ? [] : [Prisma.sql`actor = ${databaseText(actor)}`]),
  ];
  const where = conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join(conditions, ' AND ')}`;
  return await queryRows(connection, auditRow)`
    SELECT id, time, actor_kind AS "actorKind", actor, action, projects, objects, object_count AS "objectCount", result, details,
      request_id AS "requestId"
    FROM audit_entry ${where} ORDER BY id DESC LIMIT ${range.first}::int`;
}

/** Deletes entries that are older than so many days, a part at a time. @returns how many. */
export async function deleteOldAuditEntries(connection: Connection, days: number, most: number): Promise<number> {
  return await connection.$executeRaw`
    DELETE FROM audit_entry WHERE id IN (
      SELECT id FROM audit_entry WHERE time < now() - ${days}::float8 * interval '1 day' ORDER BY time LIMIT ${most}::int)`;
}
