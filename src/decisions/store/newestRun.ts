import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from '#src/runs/store/runRecord.ts';

/** The newest run, not in the trash, whose configuration's hash begins like this; null where there is none. */
export async function findNewestRunOf(connection: Connection, hashStart: string): Promise<RunRecord | null> {
  const rows = await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run
    WHERE run.configuration_hash ^@ ${hashStart} AND run.deleted_at IS NULL ORDER BY run.number DESC LIMIT 1`;
  return rows[0] ?? null;
}
