import type { Database } from '#src/base/platform/postgres/database.ts';
import { numberArrayLiteral } from '#src/base/database/databaseText.ts';

/** A run that succeeded, with the last values of its metrics. */
export interface PlainRun {
  kind: string;
  datasetName: string | null;
  parameters: Record<string, unknown>;
  seed: number;
  tags?: string[];
  preset?: string;
  state?: 'SUCCEEDED' | 'FAILED';
  metrics: Record<string, number>;
}

/** Writes runs straight into the database, thousands at once: for tests of what reads them. */
export async function insertManyRuns(db: Database, runs: readonly PlainRun[], project = 'default'): Promise<void> {
  await db.$executeRaw`INSERT INTO project (id, name) VALUES (gen_random_uuid(), ${project}) ON CONFLICT DO NOTHING`;
  const configurationOf = ({ kind, datasetName, parameters }: PlainRun) =>
    JSON.stringify({ kind, datasetName, parameters });
  const configurations = [...new Set(runs.map(configurationOf))];
  await db.$executeRaw`
    INSERT INTO configuration (hash, kind, kind_version, dataset, dataset_name, parameters)
    SELECT encode(sha256(text::bytea), 'hex'), text::jsonb ->> 'kind', 1,
      CASE WHEN text::jsonb ->> 'datasetName' IS NOT NULL THEN jsonb_build_object('name', text::jsonb ->> 'datasetName') END,
      text::jsonb ->> 'datasetName', text::jsonb -> 'parameters'
    FROM unnest(${configurations}::text[]) text ON CONFLICT DO NOTHING`;
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.metrics)))];
  const rows = runs.map((run) =>
    JSON.stringify({
      ...{ c: configurationOf(run), seed: run.seed, name: `${run.kind} ${run.datasetName ?? ''}` },
      ...{ tags: run.tags ?? [], preset: run.preset ?? null, state: run.state ?? 'SUCCEEDED' },
    }),
  );
  const inserted = await db.$queryRaw<{ id: string; number: number }[]>`
    INSERT INTO run (id, project_id, configuration_hash, seed, name, tags, preset, state, attempt, started_at, ended_at)
    SELECT gen_random_uuid(), (SELECT id FROM project WHERE name = ${project}), encode(sha256((row ->> 'c')::bytea), 'hex'),
      (row ->> 'seed')::int, row ->> 'name', ARRAY(SELECT jsonb_array_elements_text(row -> 'tags')), row ->> 'preset',
      (row ->> 'state')::run_state, 1, now(), now()
    FROM unnest(${rows}::text[]) WITH ORDINALITY AS given (text, position), LATERAL (SELECT text::jsonb AS row) parsed
    ORDER BY position RETURNING id, number`;
  const ids = inserted.sort((a, b) => a.number - b.number).map(({ id }) => id);
  for (const name of names) {
    const having = [...runs.keys()].filter((index) => runs[index]!.metrics[name] !== undefined);
    await db.$executeRaw`
      INSERT INTO metric_series (run_id, name, point_count, last_step, last_value, minimum, maximum)
      SELECT id, ${name}, 1, 0, value, nullif(value, 'NaN'), nullif(value, 'NaN')
      FROM unnest(${having.map((index) => ids[index]!)}::uuid[],
        ${numberArrayLiteral(having.map((index) => runs[index]!.metrics[name]!))}::text::float8[]) AS given (id, value)`;
  }
}
