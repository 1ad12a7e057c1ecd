import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { countRow, queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** A row of `run_view`. */
const viewRow = z.object({
  id: z.string(),
  number: z.int(),
  projectId: z.string(),
  name: z.string(),
  /** As they were stored; `savedViews.ts` reads them. */
  settings: z.unknown(),
  isDefault: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type ViewRow = z.infer<typeof viewRow>;

const COLUMNS = Prisma.sql`id, number, project_id AS "projectId", name, settings, is_default AS "isDefault",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** The views of a project, or of all, by name; those of a name or number where they are `called`. */
export async function listViews(
  connection: Connection,
  range: { projectId: string | null; most: number; called?: { name: string; number: number | null } },
): Promise<ViewRow[]> {
  const { called } = range;
  const named =
    called === undefined
      ? Prisma.empty
      : Prisma.sql`AND (name = ${databaseText(called.name)} OR number = ${called.number}::int)`;
  return await queryRows(connection, viewRow)`
    SELECT ${COLUMNS} FROM run_view WHERE (${range.projectId}::uuid IS NULL OR project_id = ${range.projectId}::uuid) ${named}
    ORDER BY name, number LIMIT ${range.most}::int`;
}

/** The view of this id, or of this number; null when there is none. */
export async function findView(
  connection: Connection,
  by: { id: string } | { number: number },
): Promise<ViewRow | null> {
  const condition = 'id' in by ? Prisma.sql`id = ${by.id}::uuid` : Prisma.sql`number = ${by.number}::int`;
  const rows = await queryRows(connection, viewRow)`SELECT ${COLUMNS} FROM run_view WHERE ${condition}`;
  return rows[0] ?? null;
}

/** Makes whoever changes the views of a project wait for the one before. */
export async function lockViews(connection: Connection, projectId: string): Promise<void> {
  await connection.$executeRaw`SELECT 1 FROM project WHERE id = ${projectId}::uuid FOR NO KEY UPDATE`;
}

export async function countViews(connection: Connection, projectId: string): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count FROM run_view WHERE project_id = ${projectId}::uuid`;
  return rows[0]?.count ?? 0;
}

/** Inserts a view; null when the project has one of this name. */
export async function insertView(
  connection: Connection,
  view: { projectId: string; name: string; settings: unknown },
): Promise<ViewRow | null> {
  const rows = await queryRows(connection, viewRow)`
    INSERT INTO run_view (id, project_id, name, settings)
    VALUES (${randomUUID()}::uuid, ${view.projectId}::uuid, ${databaseText(view.name)}, ${databaseJson(view.settings)}::jsonb)
    ON CONFLICT (project_id, name) DO NOTHING RETURNING ${COLUMNS}`;
  return rows[0] ?? null;
}

/** Sets what is given of a view; null when it is gone. The name must be free: ask `listViews` under the lock. */
export async function updateView(
  connection: Connection,
  id: string,
  change: { name?: string | undefined; settings?: unknown },
): Promise<ViewRow | null> {
  const name = change.name === undefined ? null : databaseText(change.name);
  const settings = change.settings === undefined ? null : databaseJson(change.settings);
  const rows = await queryRows(connection, viewRow)`
    UPDATE run_view SET name = coalesce(${name}, name), settings = coalesce(${settings}::jsonb, settings), updated_at = now()
    WHERE id = ${id}::uuid RETURNING ${COLUMNS}`;
  return rows[0] ?? null;
}

/** Makes one view of the project its default, or none. */
export async function markDefaultView(connection: Connection, projectId: string, id: string | null): Promise<void> {
  await connection.$executeRaw`
    UPDATE run_view SET is_default = (id = ${id}::uuid) IS TRUE
    WHERE project_id = ${projectId}::uuid AND is_default IS DISTINCT FROM ((id = ${id}::uuid) IS TRUE)`;
}

export async function removeView(connection: Connection, id: string): Promise<void> {
  await connection.$executeRaw`DELETE FROM run_view WHERE id = ${id}::uuid`;
}
