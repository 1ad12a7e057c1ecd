import type pg from 'pg';
import { z } from 'zod';

export interface SearchedSize {
  runs: number;
  metrics: number;
}

/** A server of MLflow's protocol. */
export interface Tracking {
  /** Its tracking URI. */
  url: string;
}

export const EXPERIMENT = 'searched';
const STARTED_MS = 1_700_000_000_000;
const MODELS = ['sasrec', 'gru4rec', 'bert4rec', 'popularity'];
/** Parameters beside `lr` and `model`. */
const OTHERS = 8;

/** The JSON of an answer. @throws Error where the server refuses. */
export async function post({ url }: Tracking, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${url}/api/2.0/mlflow/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

const created = z.object({ run: z.object({ info: z.object({ run_id: z.string() }) }) });
const experiment = z.object({ experiment_id: z.string() });

/** Makes an experiment. @returns its id. */
export async function createExperiment(tracking: Tracking, name: string): Promise<string> {
  return experiment.parse(await post(tracking, 'experiments/create', { name })).experiment_id;
}

/** Starts a run. @returns its id. */
export async function createRun(tracking: Tracking, body: Record<string, unknown>): Promise<string> {
  return created.parse(await post(tracking, 'runs/create', body)).run.info.run_id;
}

/** Of the run and the metric of these numbers, 0 to 1, without order. */
const VALUE = '((run_place * 7919::int8 + metric * 104729) % 100003) / 100003.0::float8';
const STARTED = `${STARTED_MS} + run_place * 1000::int8`;
const LR = "'0.' || (run_place % 50 + 100)";
const MODEL = `(ARRAY['${MODELS.join("', '")}'])[run_place % 4 + 1]`;
const TEAM = "CASE WHEN run_place % 3 = 0 THEN 'blue' ELSE 'red' END";
const OTHER = "'value ' || run_place % (place + 2)";
const RUNS = 'generate_series(0, $1::int - 1) run_place';

/** Writes ended runs straight into Warren's tables, as a client of MLflow's that logged them would leave them. */
export async function fillWarren(
  tracking: Tracking,
  client: pg.Client,
  { runs, metrics }: SearchedSize,
): Promise<string> {
  const id = await createExperiment(tracking, EXPERIMENT);
  const run = `md5('run ' || run_place)`;
  const time = `to_timestamp((${STARTED}) / 1000.0)`;
  const others = (key: string) =>
    `(SELECT jsonb_object_agg(${key}, ${OTHER}) FROM generate_series(0, ${OTHERS - 1}) place)`;
  await client.query(
    `INSERT INTO configuration (hash, kind, kind_version, parameters)
     SELECT ${run}, 'external', 1, jsonb_build_object('lr', (${LR})::float8, 'model', ${MODEL}, 'setting', ${others('place::text')})
     FROM ${RUNS}`,
    [runs],
  );
  await client.query(
    `INSERT INTO run (id, project_id, configuration_hash, seed, name, state, reported_status, attempt, metric_cursor, user_name,
       parameter_texts, environment, created_at, started_at, ended_at)
     SELECT ${run}::uuid, project.id, ${run}, 0, 'run ' || run_place, 'SUCCEEDED', 'FINISHED', 1, 1, 'ada',
       jsonb_build_object('lr', ${LR}, 'model', ${MODEL}) || ${others("'setting.' || place")},
       jsonb_build_object('tags', jsonb_build_object('team', ${TEAM}, 'mlflow.runName', 'run ' || run_place)),
       ${time}, ${time}, ${time} + interval '500 milliseconds'
     FROM ${RUNS}, project WHERE project.number = $2::int`,
    [runs, Number(id)],
  );
  await client.query(
    `WITH series AS (
       INSERT INTO metric_series (run_id, name, point_count, last_step, last_value, last_time, minimum, maximum)
       SELECT ${run}::uuid, 'metric-' || metric, 1, 0, ${VALUE}, ${time}, ${VALUE}, ${VALUE}
       FROM ${RUNS}, generate_series(0, $2::int - 1) metric RETURNING id, last_value, last_time
     )
     INSERT INTO metric_point (series_id, step, value, time, flush) SELECT id, 0, last_value, last_time, 1 FROM series`,
    [runs, metrics],
  );
  await client.query('VACUUM ANALYZE');
  return id;
}

/** Writes the same runs straight into the tables of MLflow's server. */
export async function fillMlflow(
  tracking: Tracking,
  client: pg.Client,
  { runs, metrics }: SearchedSize,
): Promise<string> {
  const id = await createExperiment(tracking, EXPERIMENT);
  const run = `md5('run ' || run_place)`;
  await client.query(
    `INSERT INTO runs (run_uuid, name, source_type, source_name, entry_point_name, user_id, status, start_time, end_time,
       source_version, lifecycle_stage, artifact_uri, experiment_id)
     SELECT ${run}, 'run ' || run_place, 'UNKNOWN', '', '', 'ada', 'FINISHED', ${STARTED}, ${STARTED} + 500, '', 'active',
       'mlflow-artifacts:/' || $2::int || '/' || ${run} || '/artifacts', $2::int FROM ${RUNS}`,
    [runs, Number(id)],
  );
  const pairs: [string, string, string][] = [
    ['params', "'lr'", LR],
    ['params', "'model'", MODEL],
    ['tags', "'team'", TEAM],
    ['tags', "'mlflow.runName'", "'run ' || run_place"],
  ];
  for (const [table, key, value] of pairs) {
    await client.query(`INSERT INTO ${table} (key, value, run_uuid) SELECT ${key}, ${value}, ${run} FROM ${RUNS}`, [
      runs,
    ]);
  }
  await client.query(
    `INSERT INTO params (key, value, run_uuid) SELECT 'setting.' || place, ${OTHER}, ${run}
     FROM ${RUNS}, generate_series(0, ${OTHERS - 1}) place`,
    [runs],
  );
  for (const table of ['metrics', 'latest_metrics']) {
    await client.query(
      `INSERT INTO ${table} (key, value, timestamp, step, is_nan, run_uuid)
       SELECT 'metric-' || metric, ${VALUE}, ${STARTED}, 0, false, ${run} FROM ${RUNS}, generate_series(0, $2::int - 1) metric`,
      [runs, metrics],
    );
  }
  await client.query('VACUUM ANALYZE');
  return id;
}
