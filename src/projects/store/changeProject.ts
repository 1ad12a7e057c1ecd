import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { countRow, queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from '#src/runs/store/runRecord.ts';

/** Renames a project; false when the name is taken, also by a deleted one. */
export async function renameProject(connection: Connection, projectId: string, name: string): Promise<boolean> {
  const changed = await connection.$executeRaw`
    UPDATE project SET name = ${databaseText(name)}, updated_at = now()
    WHERE id = ${projectId}::uuid AND NOT EXISTS (
      SELECT FROM project other WHERE other.name = ${databaseText(name)} AND other.id <> ${projectId}::uuid)`;
  return changed === 1;
}

/** Sets what a project is about. */
export async function describeProject(connection: Connection, projectId: string, description: string): Promise<void> {
  await connection.$executeRaw`
    UPDATE project SET description = ${databaseText(description)}, updated_at = now() WHERE id = ${projectId}::uuid`;
}

/** What of a project still goes on: numbers of runs, sweeps and adaptive comparisons. */
export async function listGoingOn(
  connection: Connection,
  projectId: string,
): Promise<{ what: 'run' | 'sweep' | 'decision'; number: number }[]> {
  const row = z.object({ what: z.enum(['run', 'sweep', 'decision']), number: z.int() });
  return await queryRows(connection, row)`
    SELECT 'sweep' AS what, number FROM sweep WHERE project_id = ${projectId}::uuid AND state = 'RUNNING'
    UNION ALL
    SELECT 'decision', number FROM decision WHERE project_id = ${projectId}::uuid AND state = 'RUNNING'
    UNION ALL
    SELECT 'run', number FROM run WHERE project_id = ${projectId}::uuid AND state IN ('WAITING', 'QUEUED', 'RUNNING')
    ORDER BY 1, 2`;
}

/** Moves a project to the trash with its runs that no worker executes and none will. @returns the runs that moved. */
export async function deleteProject(connection: Connection, projectId: string): Promise<RunRecord[]> {
  await connection.$executeRaw`
    UPDATE project SET deleted_at = now(), updated_at = now() WHERE id = ${projectId}::uuid`;
  return await queryRows(connection, runRow)`
    UPDATE run SET deleted_at = now()
    WHERE project_id = ${projectId}::uuid AND deleted_at IS NULL
      AND (state NOT IN ('WAITING', 'QUEUED') AND (state <> 'RUNNING' OR worker_id IS NULL))
    RETURNING ${RUN_COLUMNS}`;
}

/** Takes a project back out of the trash, with the runs that went there with it. @returns these runs. */
export async function undeleteProject(connection: Connection, projectId: string): Promise<RunRecord[]> {
  const back = await queryRows(connection, runRow)`
    UPDATE run SET deleted_at = NULL
    WHERE project_id = ${projectId}::uuid
      AND deleted_at >= (SELECT deleted_at FROM project WHERE id = ${projectId}::uuid)
    RETURNING ${RUN_COLUMNS}`;
  await connection.$executeRaw`UPDATE project SET deleted_at = NULL, updated_at = now() WHERE id = ${projectId}::uuid`;
  return back;
}

/**
 * Deletes projects for good that have been in the trash for so long and hold no runs.
 * @param runIds With `dryRun`: runs that would be gone by then.
 * @returns how many.
 */
export async function purgeProjects(
  connection: Connection,
  { olderThanDays, dryRun, runIds = [] }: { olderThanDays: number; dryRun: boolean; runIds?: readonly string[] },
): Promise<number> {
  const old = Prisma.sql`deleted_at <= now() - ${olderThanDays}::float8 * interval '1 day'
    AND NOT EXISTS (SELECT FROM run WHERE run.project_id = project.id AND run.id <> ALL (${[...runIds]}::uuid[]))`;
  if (!dryRun) return await connection.$executeRaw`DELETE FROM project WHERE ${old}`;
  const rows = await queryRows(connection, countRow)`SELECT count(*)::int AS count FROM project WHERE ${old}`;
  return rows[0]?.count ?? 0;
}
