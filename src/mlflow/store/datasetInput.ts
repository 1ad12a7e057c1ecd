import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { countRow, queryRows } from '#src/base/database/queryRows.ts';

const summaryRow = z.object({
  experimentNumber: z.int(),
  name: z.string(),
  digest: z.string(),
  context: z.string().nullable(),
});

/** A row of `dataset_input`: data that a run says it used. */
const datasetInputRow = z.object({
  runId: z.string(),
  name: z.string(),
  digest: z.string(),
  sourceType: z.string(),
  source: z.string(),
  schema: z.string().nullable(),
  profile: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
});
export type DatasetInputRecord = z.infer<typeof datasetInputRow>;

/** Writes down data that a run used; what is there under the same name and digest stays. */
export async function insertDatasetInputs(
  connection: Connection,
  inputs: readonly DatasetInputRecord[],
): Promise<void> {
  if (inputs.length === 0) return;
  const nullable = (text: string | null) => (text === null ? null : databaseText(text));
  const rows = inputs.map(
    (input) => Prisma.sql`(${input.runId}::uuid, ${databaseText(input.name)}, ${databaseText(input.digest)},
      ${databaseText(input.sourceType)}, ${databaseText(input.source)}, ${nullable(input.schema)}::text,
      ${nullable(input.profile)}::text, ${databaseJson(input.tags)}::jsonb)`,
  );
  await connection.$executeRaw`
    INSERT INTO dataset_input (run_id, name, digest, source_type, source, schema, profile, tags)
    VALUES ${Prisma.join(rows)} ON CONFLICT DO NOTHING`;
}

/** How many data a run says it used. */
export async function countDatasetInputs(connection: Connection, runId: string): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count FROM dataset_input WHERE run_id = ${runId}::uuid`;
  return rows[0]?.count ?? 0;
}

/** The data that the runs used, in the order in which they said so. */
export async function listDatasetInputs(
  connection: Connection,
  runIds: readonly string[],
): Promise<DatasetInputRecord[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, datasetInputRow)`
    SELECT run_id AS "runId", name, digest, source_type AS "sourceType", source, schema, profile, tags
    FROM dataset_input WHERE run_id = ANY(${[...runIds]}::uuid[]) ORDER BY id`;
}

/** Names and digests of the data that runs of the experiments used, with what for. */
export async function summarizeDatasets(
  connection: Connection,
  experimentNumbers: readonly number[],
): Promise<z.infer<typeof summaryRow>[]> {
  return await queryRows(connection, summaryRow)`
    SELECT DISTINCT project.number AS "experimentNumber", input.name, input.digest,
      input.tags ->> 'mlflow.data.context' AS context
    FROM dataset_input input JOIN run ON run.id = input.run_id JOIN project ON project.id = run.project_id
    WHERE project.number = ANY(${`{${experimentNumbers.join(',')}}`}::int[]) ORDER BY 1, 2, 3 LIMIT 1000`;
}
