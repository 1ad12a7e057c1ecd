import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { compareSql, type SearchOperator, type SearchValue } from './comparisonSql.ts';

const loggedModelSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  status: z.string(),
  tags: z.record(z.string(), z.string()),
  params: z.record(z.string(), z.string()),
  createdMs: z.number(),
  updatedMs: z.number(),
  /** The step at which its run put it out; null where it did not. */
  step: z.number().nullable(),
  /** Its id is not given again, and runs still name it. */
  deleted: z.boolean().default(false),
});

/** A model that a run of an MLflow client logged; it stands in the environment of the run, its files are the run's. */
export type LoggedModel = z.infer<typeof loggedModelSchema>;

/** Null for what another program has put where models stand. */
const modelRow = z.object({ runId: z.string(), model: loggedModelSchema.nullable().catch(null) });

/** The models of the runs, the newest first. */
export async function listLoggedModels(
  connection: Connection,
  runIds: readonly string[],
): Promise<{ runId: string; model: LoggedModel }[]> {
  if (runIds.length === 0) return [];
  const rows = await queryRows(connection, modelRow)`
    SELECT run.id AS "runId", entry.value AS model
    FROM run, jsonb_each(CASE WHEN jsonb_typeof(run.environment -> 'models') = 'object' THEN run.environment -> 'models'
      ELSE '{}' END) entry WHERE run.id = ANY(${[...runIds]}::uuid[])`;
  const models = rows.flatMap(({ runId, model }) => (model === null ? [] : [{ runId, model }]));
  return models.sort((a, b) => b.model.createdMs - a.model.createdMs);
}

/** What models are found and sorted by. */
export type ModelField =
  | { type: 'tag' | 'parameter'; key: string }
  | { type: 'attribute'; key: (typeof MODEL_ATTRIBUTES)[number] };
export const MODEL_ATTRIBUTES = [
  ...(['name', 'model_id', 'model_type', 'status', 'source_run_id'] as const),
  ...(['creation_timestamp', 'last_updated_timestamp'] as const),
] as const;

export interface ModelSearch {
  experimentNumbers: readonly number[];
  conditions: readonly { field: ModelField; operator: SearchOperator; value: SearchValue }[];
  order: readonly { field: ModelField; ascending: boolean }[];
  offset: number;
  limit: number;
}

const COLUMNS: Readonly<Record<(typeof MODEL_ATTRIBUTES)[number], Prisma.Sql>> = {
  name: Prisma.sql`(entry.value ->> 'name') COLLATE "C"`,
  model_id: Prisma.sql`(entry.value ->> 'id') COLLATE "C"`,
  model_type: Prisma.sql`(entry.value ->> 'type') COLLATE "C"`,
  status: Prisma.sql`(entry.value ->> 'status') COLLATE "C"`,
  source_run_id: Prisma.sql`replace(run.id::text, '-', '')`,
  creation_timestamp: numberSql('createdMs'),
  last_updated_timestamp: numberSql('updatedMs'),
};

/** Whoever writes an environment may put anything there: what is no number must not fail the search. */
function numberSql(name: 'createdMs' | 'updatedMs'): Prisma.Sql {
  return Prisma.sql`(CASE WHEN jsonb_typeof(entry.value -> ${name}::text) = 'number'
    THEN (entry.value ->> ${name}::text)::float8 END)`;
}

function fieldSql(field: ModelField): Prisma.Sql {
  if (field.type === 'attribute') return COLUMNS[field.key];
  const inside = field.type === 'tag' ? 'tags' : 'params';
  return Prisma.sql`(entry.value -> ${inside}::text ->> ${databaseText(field.key)}::text) COLLATE "C"`;
}

/** Models that runs of the experiments logged and that meet all conditions, the newest first unless sorted, a page of them. */
export async function searchModels(
  connection: Connection,
  search: ModelSearch,
): Promise<{ runId: string; model: LoggedModel }[]> {
  const tests = search.conditions.map(({ field, operator, value }) => compareSql(fieldSql(field), operator, value));
  const order = search.order.map(({ field, ascending }) =>
    ascending ? Prisma.sql`${fieldSql(field)} ASC NULLS LAST` : Prisma.sql`${fieldSql(field)} DESC NULLS LAST`,
  );
  const newest = Prisma.sql`${COLUMNS.creation_timestamp} DESC`;
  const rows = await queryRows(connection, modelRow)`
    SELECT run.id AS "runId", entry.value AS model
    FROM run JOIN project ON project.id = run.project_id,
      jsonb_each(CASE WHEN jsonb_typeof(run.environment -> 'models') = 'object' THEN run.environment -> 'models'
        ELSE '{}' END) entry
    WHERE project.number = ANY(${`{${search.experimentNumbers.join(',')}}`}::int[])
      AND jsonb_exists(run.environment, 'models') AND run.deleted_at IS NULL
      AND jsonb_typeof(entry.value -> 'createdMs') = 'number' AND jsonb_typeof(entry.value -> 'updatedMs') = 'number'
      AND (entry.value -> 'deleted') IS DISTINCT FROM 'true'
      AND ${tests.length === 0 ? Prisma.sql`true` : Prisma.join(tests, ' AND ')}
    ORDER BY ${Prisma.join([...order, newest])}, entry.key OFFSET ${search.offset}::int8 LIMIT ${search.limit}::int8`;
  return rows.flatMap(({ runId, model }) => (model === null ? [] : [{ runId, model }]));
}

const inputsRow = z.object({ runId: z.string(), ids: z.array(z.string()).catch([]) });

/** Ids of the models that the runs used. */
export async function listModelInputs(
  connection: Connection,
  runIds: readonly string[],
): Promise<{ runId: string; ids: string[] }[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, inputsRow)`
    SELECT id AS "runId", environment -> 'modelInputs' AS ids FROM run
    WHERE id = ANY(${[...runIds]}::uuid[]) AND jsonb_exists(environment, 'modelInputs')`;
}

/** Writes down which models a run used. */
export async function putModelInputs(connection: Connection, runId: string, ids: readonly string[]): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET environment = jsonb_set(environment, '{modelInputs}', ${databaseJson([...ids])}::jsonb)
    WHERE id = ${runId}::uuid`;
}

/** Writes a model down, or what has changed of it. */
export async function putLoggedModel(connection: Connection, runId: string, model: LoggedModel): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET environment = jsonb_set(environment, '{models}',
      coalesce(environment -> 'models', '{}') || ${databaseJson({ [model.id]: model })}::jsonb)
    WHERE id = ${runId}::uuid`;
}
