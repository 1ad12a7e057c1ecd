import type { Connection } from './connection.ts';
import { databaseJson, databaseText } from './databaseText.ts';

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
