import { z } from 'zod';
import type { Connection } from '../database/connection.ts';
import { databaseJson, databaseText } from '../database/databaseText.ts';
import { queryRows } from '../database/queryRows.ts';

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

/** Models that runs of the experiments logged and that have all of the names, the newest first, a page of them. */
export async function searchModels(
  connection: Connection,
  search: { experimentNumbers: readonly number[]; names: readonly string[]; offset: number; limit: number },
): Promise<{ runId: string; model: LoggedModel }[]> {
  const names = search.names.map(databaseText);
  const rows = await queryRows(connection, modelRow)`
    SELECT run.id AS "runId", entry.value AS model
    FROM run JOIN project ON project.id = run.project_id,
      jsonb_each(CASE WHEN jsonb_typeof(run.environment -> 'models') = 'object' THEN run.environment -> 'models'
        ELSE '{}' END) entry
    WHERE project.number = ANY(${`{${search.experimentNumbers.join(',')}}`}::int[])
      AND jsonb_exists(run.environment, 'models') AND run.deleted_at IS NULL
      AND entry.value ->> 'name' = ALL(${names}::text[]) AND jsonb_typeof(entry.value -> 'createdMs') = 'number'
    ORDER BY entry.value -> 'createdMs' DESC, entry.key OFFSET ${search.offset}::int8 LIMIT ${search.limit}::int8`;
  return rows.flatMap(({ runId, model }) => (model === null ? [] : [{ runId, model }]));
}

/** Writes a model down, or what has changed of it. */
export async function putLoggedModel(connection: Connection, runId: string, model: LoggedModel): Promise<void> {
  await connection.$executeRaw`
    UPDATE run SET environment = jsonb_set(environment, '{models}',
      coalesce(environment -> 'models', '{}') || ${databaseJson({ [model.id]: model })}::jsonb)
    WHERE id = ${runId}::uuid`;
}
