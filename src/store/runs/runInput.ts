import type { RunInput } from '#src/generated/prisma/client.ts';
import type { Connection } from '../database/connection.ts';
import { databaseText } from '../database/databaseText.ts';

/** A row of `run_input`: another run's artifact that a run needs, and what the kind calls it (`name`). */
export type RunInputRecord = RunInput;

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
  const { runId, sourceRunId, artifactName } = input;
  const where = { runId, sourceRunId, artifactName: databaseText(artifactName) };
  return (await connection.runInput.findFirst({ where, select: { name: true } })) !== null;
}

/** The inputs of the runs, by run and name. */
export async function listRunInputs(connection: Connection, runIds: readonly string[]): Promise<RunInputRecord[]> {
  if (runIds.length === 0) return [];
  return await connection.runInput.findMany({
    where: { runId: { in: [...runIds] } },
    orderBy: [{ runId: 'asc' }, { name: 'asc' }],
  });
}
