import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { idRow, queryRows } from '#src/base/database/queryRows.ts';

const trashedRow = z.object({ id: z.string(), number: z.int(), name: z.string() });
const userRow = z.object({ sourceRunId: z.string(), userId: z.string(), userNumber: z.int() });

function deletedBefore(days: number): Prisma.Sql {
  return Prisma.sql`run.deleted_at <= now() - ${days}::float8 * interval '1 day'`;
}

/** Runs that have been in the trash for at least so many days, the newest first. */
export async function listTrash(connection: Connection, olderThanDays: number): Promise<z.infer<typeof trashedRow>[]> {
  return await queryRows(connection, trashedRow)`
    SELECT id, number, name FROM run WHERE ${deletedBefore(olderThanDays)} ORDER BY number DESC`;
}

/** Which runs use artifacts of the given ones. */
export async function listUsers(connection: Connection, runIds: readonly string[]): Promise<z.infer<typeof userRow>[]> {
  return await queryRows(connection, userRow)`
    SELECT DISTINCT run_input.source_run_id AS "sourceRunId", run.id AS "userId", run.number AS "userNumber"
    FROM run_input JOIN run ON run.id = run_input.run_id
    WHERE run_input.source_run_id = ANY(${[...runIds]}::uuid[])`;
}

const madeRow = z.object({ runId: z.string(), version: z.string() });

/** The registered versions that the given runs made, as `NAME:VERSION`. */
export async function listMadeVersions(
  connection: Connection,
  runIds: readonly string[],
): Promise<z.infer<typeof madeRow>[]> {
  return await queryRows(connection, madeRow)`
    SELECT version.run_id AS "runId", entry.name || ':' || version.number AS version
    FROM registry_version version JOIN registry_entry entry ON entry.id = version.entry_id
    WHERE version.run_id = ANY(${[...runIds]}::uuid[]) ORDER BY entry.name, version.number`;
}

/** Rows deleted by one statement, which must end well within the time that an answer may take. */
const SLICE = 100_000;

/**
 * Deletes a run that is still in the trash, with all that it recorded, for use within a transaction. False when it was
 * restored meanwhile, another run has come to use it, or a version of it was registered.
 */
export async function deleteForGood(connection: Connection, runId: string, olderThanDays: number): Promise<boolean> {
  const locked = await queryRows(connection, idRow)`
    SELECT id FROM run WHERE id = ${runId}::uuid AND ${deletedBefore(olderThanDays)} FOR UPDATE`;
  if (locked.length === 0) return false;
  // looked at once nobody else can come to need the run: what was waited for is seen by a later statement alone
  const free = await queryRows(connection, idRow)`
    SELECT id FROM run WHERE id = ${runId}::uuid
      AND NOT EXISTS (SELECT FROM run_input WHERE source_run_id = run.id)
      AND NOT EXISTS (SELECT FROM registry_version WHERE run_id = run.id)`;
  if (free.length === 0) return false;
  await inSlices(
    () => connection.$executeRaw`
      DELETE FROM metric_point WHERE (series_id, step) IN (
        SELECT metric_point.series_id, metric_point.step FROM metric_series
        JOIN metric_point ON metric_point.series_id = metric_series.id
        WHERE metric_series.run_id = ${runId}::uuid LIMIT ${SLICE}::int)`,
  );
  await inSlices(
    () => connection.$executeRaw`
      DELETE FROM metric_block WHERE (series_id, first_step) IN (
        SELECT metric_block.series_id, metric_block.first_step FROM metric_series
        JOIN metric_block ON metric_block.series_id = metric_series.id
        WHERE metric_series.run_id = ${runId}::uuid LIMIT ${SLICE}::int)`,
  );
  await inSlices(
    () => connection.$executeRaw`
      DELETE FROM log_line WHERE run_id = ${runId}::uuid AND (attempt, line) IN (
        SELECT attempt, line FROM log_line WHERE run_id = ${runId}::uuid LIMIT ${SLICE}::int)`,
  );
  await connection.$executeRaw`DELETE FROM run WHERE id = ${runId}::uuid`;
  return true;
}

async function inSlices(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === SLICE);
}
