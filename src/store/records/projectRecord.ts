import { randomUUID } from 'node:crypto';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '../database/connection.ts';
import { databaseText } from '../database/databaseText.ts';

/** A row of `project`: a named group of runs. */
export interface ProjectRecord {
  id: string;
  name: string;
  description: string;
  createdAt: Date;
}

const COLUMNS = Prisma.sql`project.id, project.name, project.description, project.created_at AS "createdAt"`;

/** The project of this name, created when there is none. */
export async function upsertProject(connection: Connection, name: string): Promise<ProjectRecord> {
  const found = await findProjectByName(connection, name);
  if (found !== null) return found;
  await insertProject(connection, { name, description: '' });
  const created = await findProjectByName(connection, name);
  if (created === null) throw new Error(`internal: project ${name} is gone again`);
  return created;
}

/** Creates a project; null when its name is taken. */
export async function insertProject(
  connection: Connection,
  project: { name: string; description: string },
): Promise<ProjectRecord | null> {
  const rows = await connection.$queryRaw<ProjectRecord[]>`
    INSERT INTO project (id, name, description)
    VALUES (${randomUUID()}::uuid, ${databaseText(project.name)}, ${databaseText(project.description)})
    ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`;
  return rows[0] ?? null;
}

export async function findProjectByName(connection: Connection, name: string): Promise<ProjectRecord | null> {
  const rows = await connection.$queryRaw<ProjectRecord[]>`
    SELECT ${COLUMNS} FROM project WHERE name = ${databaseText(name)}`;
  return rows[0] ?? null;
}

/** The projects with these ids, in no particular order. */
export async function findProjects(connection: Connection, ids: readonly string[]): Promise<ProjectRecord[]> {
  if (ids.length === 0) return [];
  return await connection.$queryRaw<ProjectRecord[]>`
    SELECT ${COLUMNS} FROM project WHERE id = ANY(${[...ids]}::uuid[])`;
}

/** Projects by name, those after a name. */
export async function listProjectsAfter(
  connection: Connection,
  range: { afterName: string | null; first: number },
): Promise<ProjectRecord[]> {
  return await connection.$queryRaw<ProjectRecord[]>`
    SELECT ${COLUMNS} FROM project WHERE ${range.afterName}::text IS NULL OR name > ${range.afterName}
    ORDER BY name LIMIT ${range.first}::int`;
}

/** All names of projects, for hints. */
export async function listProjectNames(connection: Connection): Promise<string[]> {
  const rows = await connection.$queryRaw<{ name: string }[]>`SELECT name FROM project ORDER BY name LIMIT 1000`;
  return rows.map((row) => row.name);
}

/** Runs that are not in the trash, by the project's id; projects without runs are left out. */
export async function countRunsByProject(connection: Connection, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await connection.$queryRaw<{ id: string; count: number }[]>`
    SELECT project_id AS id, count(*)::int AS count FROM run
    WHERE project_id = ANY(${[...ids]}::uuid[]) AND deleted_at IS NULL GROUP BY project_id`;
  return new Map(rows.map((row) => [row.id, row.count]));
}
