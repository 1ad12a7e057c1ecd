import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { type RunSelection, SELECTED_FROM, selectionSql } from '#src/runs/store/runPage.ts';

const pinnableRow = z.object({ id: z.string(), number: z.int(), projectId: z.string() });
/** What is kept of a run that a block shows. */
export type PinnableRun = z.infer<typeof pinnableRow>;

/** The runs of one project that a block of a version showed. */
export interface NewReportPin {
  block: number;
  projectId: string;
  runs: readonly PinnableRun[];
  matched: number;
}

const pinRow = z.object({
  block: z.int(),
  /** The number now of a run that is still there, else that of then; null where another server gave it. */
  number: z.int().nullable(),
  isThere: z.boolean(),
});

const matchedRow = z.object({ block: z.int(), matched: z.int() });

/** Runs of a selection, the oldest first, at most `limit`. */
export async function listPinnableRuns(
  connection: Connection,
  selection: RunSelection,
  limit: number,
): Promise<PinnableRun[]> {
  return await queryRows(connection, pinnableRow)`
    SELECT run.id, run.number, run.project_id AS "projectId" ${SELECTED_FROM} WHERE ${selectionSql(selection)}
    ORDER BY run.number LIMIT ${limit}::int`;
}

export async function insertReportPins(
  connection: Connection,
  { reportId, version }: { reportId: string; version: number },
  pins: readonly NewReportPin[],
): Promise<void> {
  for (const { block, projectId, runs, matched } of pins) {
    await connection.$executeRaw`
      INSERT INTO report_pin (report_id, version, block, project_id, run_ids, numbers, matched)
      VALUES (${reportId}::uuid, ${version}::int, ${block}::int, ${projectId}::uuid, ${runs.map(({ id }) => id)}::uuid[],
        ${numberArrayLiteral(runs.map(({ number }) => number))}::int[], ${matched}::int)`;
  }
}

/** How many runs each block with pins showed or left out, of the projects that are seen. */
export async function listPinnedBlocks(
  connection: Connection,
  reportId: string,
  version: number,
): Promise<z.infer<typeof matchedRow>[]> {
  return await queryRows(connection, matchedRow)`
    SELECT block, sum(matched)::int AS matched FROM report_pin
    WHERE report_id = ${reportId}::uuid AND version = ${version}::int GROUP BY block ORDER BY block`;
}

/** The runs of each block, in the order in which they were kept. A run in the trash is not there. */
export async function listPinnedRuns(
  connection: Connection,
  reportId: string,
  version: number,
): Promise<z.infer<typeof pinRow>[]> {
  return await queryRows(connection, pinRow)`
    SELECT pin.block, coalesce(run.number, kept.number) AS number, run.id IS NOT NULL AS "isThere"
    FROM report_pin pin CROSS JOIN LATERAL unnest(pin.run_ids, pin.numbers) WITH ORDINALITY kept(id, number, place)
    LEFT JOIN run ON run.id = kept.id AND run.deleted_at IS NULL
    WHERE pin.report_id = ${reportId}::uuid AND pin.version = ${version}::int
    ORDER BY pin.block, pin.project_id, kept.place`;
}
