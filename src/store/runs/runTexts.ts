import type { Connection } from '../database/connection.ts';

/** What a run's row holds that may be long: lists of runs leave it out. */
export interface RunTexts {
  runId: string;
  notes: string;
  environment: Record<string, unknown>;
  errorStack: string | null;
}

/** The long texts of the runs, in no particular order. */
export async function listRunTexts(connection: Connection, runIds: readonly string[]): Promise<RunTexts[]> {
  if (runIds.length === 0) return [];
  return await connection.$queryRaw<RunTexts[]>`
    SELECT id AS "runId", notes, environment, left(error_stack, 10000) AS "errorStack"
    FROM run WHERE id = ANY(${[...runIds]}::uuid[])`;
}
