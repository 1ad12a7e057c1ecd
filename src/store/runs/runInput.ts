import type { Connection } from '../database/connection.ts';
import { databaseText } from '../database/databaseText.ts';

/** A row of `run_input`: another run's artifact that a run needs. */
export interface RunInputRecord {
  runId: string;
  /** What the kind calls it. */
  name: string;
  sourceRunId: string;
  artifactName: string;
}

/** Gives each of the runs the same inputs. */
export async function insertRunInputs(
  connection: Connection,
  runIds: readonly string[],
  inputs: readonly Omit<RunInputRecord, 'runId'>[],
): Promise<void> {
  if (inputs.length === 0) return;
  await connection.$executeRaw`
    INSERT INTO run_input (run_id, name, source_run_id, artifact_name)
    SELECT consumer.id, given.name, given.source_run_id, given.artifact_name
    FROM unnest(${[...runIds]}::uuid[]) AS consumer (id),
      unnest(${inputs.map((input) => databaseText(input.name))}::text[],
        ${inputs.map((input) => input.sourceRunId)}::uuid[],
        ${inputs.map((input) => databaseText(input.artifactName))}::text[]) AS given (name, source_run_id, artifact_name)`;
}

/** Whether the run needs that artifact of that other run. */
export async function isRunInput(connection: Connection, input: Omit<RunInputRecord, 'name'>): Promise<boolean> {
  const rows = await connection.$queryRaw<unknown[]>`
    SELECT 1 FROM run_input WHERE run_id = ${input.runId}::uuid AND source_run_id = ${input.sourceRunId}::uuid
      AND artifact_name = ${databaseText(input.artifactName)} LIMIT 1`;
  return rows.length > 0;
}

/** The inputs of the runs, by run and name. */
export async function listRunInputs(connection: Connection, runIds: readonly string[]): Promise<RunInputRecord[]> {
  if (runIds.length === 0) return [];
  return await connection.$queryRaw<RunInputRecord[]>`
    SELECT run_id AS "runId", name, source_run_id AS "sourceRunId", artifact_name AS "artifactName"
    FROM run_input WHERE run_id = ANY(${[...runIds]}::uuid[]) ORDER BY run_id, name`;
}
