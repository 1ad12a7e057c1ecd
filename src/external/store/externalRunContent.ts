import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from '#src/runs/store/runRecord.ts';

/** Sets what the program of a new external run says of it. */
export async function describeExternalRun(
  connection: Connection,
  id: string,
  { notes, environment }: { notes: string; environment: Record<string, unknown> },
): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET notes = ${databaseText(notes)}, environment = ${databaseJson(environment)}::jsonb WHERE id = ${id}::uuid`;
}

/** Gives an external run another configuration: its parameters grew. */
export async function replaceConfiguration(connection: Connection, id: string, hash: string): Promise<void> {
  await connection.$executeRaw`UPDATE run SET configuration_hash = ${hash} WHERE id = ${id}::uuid`;
}

/** Adds what a command's program says of itself to the environment of its run: facts, and its own parameters as `config`. */
export async function describeProgram(
  connection: Connection,
  id: string,
  { config, ...facts }: Record<string, unknown> & { config: Record<string, unknown> },
): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET environment = ${databaseJson(facts)}::jsonb || environment ||
      jsonb_build_object('config', coalesce(environment->'config', '{}') || ${databaseJson(config)}::jsonb)
    WHERE id = ${id}::uuid`;
}

/** Adds facts to the environment of runs, over what is known. */
export async function describeNewRuns(
  connection: Connection,
  ids: readonly string[],
  facts: Record<string, unknown>,
): Promise<void> {
  if (Object.keys(facts).length === 0) return;
  await connection.$executeRaw`
    UPDATE run SET environment = environment || ${databaseJson(facts)}::jsonb WHERE id = ANY(${[...ids]}::uuid[])`;
}

/** Adds what a program says of the run of a trial that it executes; null where it has said so already. */
export async function describeTrialRun(
  connection: Connection,
  id: string,
  said: {
    name: string;
    tags: readonly string[];
    notes: string;
    environment: Record<string, unknown>;
    configurationHash: string;
  },
): Promise<RunRecord | null> {
  const rows = await queryRows(connection, runRow)`
    UPDATE run SET name = ${databaseText(said.name)}, tags = ${said.tags.map(databaseText)}::text[],
      notes = ${databaseText(said.notes)}, environment = ${databaseJson(said.environment)}::jsonb,
      configuration_hash = ${said.configurationHash}
    WHERE id = ${id}::uuid AND environment = '{}' RETURNING ${RUN_COLUMNS}`;
  return rows[0] ?? null;
}
