import type { RunInput } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';

/** A row of `run_input`: another run's artifact that a run needs, and what the kind calls it (`name`). */
export type RunInputRecord = RunInput;

/** An input of a run that is being queued; with `sha256` it is a registered version's file, whatever its run has now. */
export type NewRunInput = Omit<RunInputRecord, 'runId' | 'sha256'> & { sha256?: string | null };

/** Gives each of the runs the same inputs. */
export async function insertRunInputs(
  connection: Connection,
  runIds: readonly string[],
  inputs: readonly NewRunInput[],
): Promise<void> {
  if (inputs.length === 0) return;
  await connection.$executeRaw`
    INSERT INTO run_input (run_id, name, source_run_id, artifact_name, sha256)
    SELECT consumer.id, given.name, given.source_run_id, given.artifact_name, given.sha256
    FROM unnest(${[...runIds]}::uuid[]) AS consumer (id),
      unnest(${inputs.map((input) => databaseText(input.name))}::text[],
        ${inputs.map((input) => input.sourceRunId)}::uuid[],
        ${inputs.map((input) => databaseText(input.artifactName))}::text[],
        ${inputs.map((input) => input.sha256 ?? null)}::text[]) AS given (name, source_run_id, artifact_name, sha256)`;
}

/** Whether the run needs that artifact of that other run: of a registered version the same content, else what the run has. */
export async function isRunInput(connection: Connection, input: Omit<RunInputRecord, 'name'>): Promise<boolean> {
  const { runId, sourceRunId, artifactName, sha256 } = input;
  const where = { runId, sourceRunId, artifactName: databaseText(artifactName) };
  const inputs = await connection.runInput.findMany({ where, select: { sha256: true } });
  return inputs.some((each) => each.sha256 === null || each.sha256 === sha256);
}

/** The inputs of the runs, by run and name. */
export async function listRunInputs(connection: Connection, runIds: readonly string[]): Promise<RunInputRecord[]> {
  if (runIds.length === 0) return [];
  return await connection.runInput.findMany({
    where: { runId: { in: [...runIds] } },
    orderBy: [{ runId: 'asc' }, { name: 'asc' }],
  });
}
