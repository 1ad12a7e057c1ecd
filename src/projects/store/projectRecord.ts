import { randomUUID } from 'node:crypto';
import type { Project } from '#src/generated/prisma/client.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { type Connection, isOutOfView } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { idRow, queryPage } from '#src/base/database/queryRows.ts';

/** A row of `project`: a named group of runs. */
export type ProjectRecord = Project;

/** The project of this name, created when there is none; one that was deleted is taken back. */
export async function upsertProject(connection: Connection, name: string): Promise<ProjectRecord> {
  const found = await findProjectByName(connection, name);
  if (found !== null && found.deletedAt === null) return found;
  if (found !== null) return await connection.project.update({ where: { id: found.id }, data: { deletedAt: null } });
  await insertProject(connection, { name, description: '' });
  const created = await findProjectByName(connection, name);
  if (created === null) throw new Error(`internal: project ${name} is gone again`);
  return created;
}

/**
 * Creates a project; null when its name is taken.
 * @throws WarrenError FORBIDDEN where the caller may not, told in the same words whether there is such a project or not.
 */
export async function insertProject(
  connection: Connection,
  project: { name: string; description: string },
): Promise<ProjectRecord | null> {
  const refusal = new WarrenError('FORBIDDEN', `this token may not write to a project "${project.name}"`, {
    path: 'project',
  });
  const making = connection.project.createManyAndReturn({
    data: [{ id: randomUUID(), name: databaseText(project.name), description: databaseText(project.description) }],
    skipDuplicates: true,
  });
  const [created] = await making.catch((error: unknown) => {
    throw isOutOfView(error) ? refusal : error;
  });
  if (created !== undefined) return created;
  if ((await findProjectByName(connection, project.name)) === null) throw refusal;
  return null;
}

export async function findProjectByName(connection: Connection, name: string): Promise<ProjectRecord | null> {
  return await connection.project.findUnique({ where: { name: databaseText(name) } });
}

/** The id of the project of a name, which every list of runs asks for; null where there is none. */
export async function findProjectId(connection: Connection, name: string): Promise<string | null> {
  const rows = await queryPage(connection, idRow)`SELECT id FROM project WHERE name = ${databaseText(name)}`;
  return rows[0]?.id ?? null;
}

/** The projects with these ids, in no particular order. */
export async function findProjects(connection: Connection, ids: readonly string[]): Promise<ProjectRecord[]> {
  if (ids.length === 0) return [];
  return await connection.project.findMany({ where: { id: { in: [...ids] } } });
}

/** Projects by name, those after a name: those in the trash, or all others. */
export async function listProjectsAfter(
  connection: Connection,
  range: { afterName: string | null; first: number; deleted: boolean },
): Promise<ProjectRecord[]> {
  return await connection.project.findMany({
    where: {
      deletedAt: range.deleted ? { not: null } : null,
      ...(range.afterName === null ? {} : { name: { gt: range.afterName } }),
    },
    orderBy: { name: 'asc' },
    take: range.first,
  });
}

/** The names of these projects, by their ids. */
export async function projectNames(connection: Connection, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map((await findProjects(connection, ids)).map(({ id, name }) => [id, name]));
}

/** All names of projects, for hints. */
export async function listProjectNames(connection: Connection): Promise<string[]> {
  const rows = await connection.project.findMany({ select: { name: true }, orderBy: { name: 'asc' }, take: 1000 });
  return rows.map((row) => row.name);
}

/** Runs that are not in the trash, by the project's id; projects without runs are left out. */
export async function countRunsByProject(connection: Connection, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await connection.run.groupBy({
    by: ['projectId'],
    where: { projectId: { in: [...ids] }, deletedAt: null },
    _count: true,
  });
  return new Map(rows.map((row) => [row.projectId, row._count]));
}
