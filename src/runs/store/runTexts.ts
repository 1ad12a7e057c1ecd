import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { jsonObject, queryRows } from '#src/base/database/queryRows.ts';

/** What a run's row holds that may be long: lists of runs leave it out. */
const textsRow = z.object({
  runId: z.string(),
  notes: z.string(),
  environment: jsonObject,
  errorStack: z.string().nullable(),
});
export type RunTexts = z.infer<typeof textsRow>;

/** The long texts of the runs, in no particular order. */
export async function listRunTexts(connection: Connection, runIds: readonly string[]): Promise<RunTexts[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, textsRow)`
    SELECT id AS "runId", notes, environment, left(error_stack, 10000) AS "errorStack"
    FROM run WHERE id = ANY(${[...runIds]}::uuid[])`;
}
