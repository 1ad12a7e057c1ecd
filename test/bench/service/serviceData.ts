import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { BLOCK_POINTS } from '#src/metrics/store/pointBlocks.ts';

export interface ServiceSize {
  runs: number;
  metrics: number;
  /** Of every series. */
  points: number;
  /** Of the one series that is long. */
  longPoints: number;
  /** Whether points are rows, which the API packs, and not in blocks already. */
  loose: boolean;
}

export const PROJECT = 'bench';
export const LONG_METRIC = 'train/loss';
/** Runs that share a configuration. */
export const SEEDS = 5;
const RUNS_AT_ONCE = 1_000;

/** `test/metric-00`, the first to `count`. */
export function metricNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `test/metric-${String(index).padStart(2, '0')}`);
}

/**
 * Writes ended external runs with all their points straight into an empty database, five seeds a configuration of 15
 * parameters, in the order in which programs would have, and run 1's long series.
 */
export async function loadServiceData(client: pg.Client, size: ServiceSize): Promise<void> {
  await client.query('SELECT setseed(0.5)');
  // what refers to what is right by the statements below: to look it up for every row takes as long as all the rest
  await client.query('SET session_replication_role = replica');
  await client.query('INSERT INTO project (id, name) VALUES (gen_random_uuid(), $1)', [PROJECT]);
  await client.query(
    `INSERT INTO configuration (hash, kind, kind_version, dataset, dataset_name, parameters, created_at)
     SELECT encode(sha256(number::text::bytea), 'hex'), 'external', 1, '{"name": "beauty"}', 'beauty',
       jsonb_build_object('model', CASE number % 4 WHEN 0 THEN 'sasrec' WHEN 1 THEN 'gru4rec' WHEN 2 THEN 'bert4rec' ELSE 'popularity' END,
         'optimizer', jsonb_build_object('name', 'adam', 'learningRate', (number % 50 + 1) / 1000.0, 'beta1', 0.9, 'beta2', 0.999),
         'layers', jsonb_build_object('count', number % 3 + 1, 'width', 64 * (number % 5 + 1), 'heads', 2, 'activation', 'gelu'),
         'batchSize', 128, 'dropout', (number % 10) / 10.0, 'epochs', 200, 'patience', 10, 'maskRatio', 0.2, 'number', number),
       now() - interval '30 days' + number * interval '1 second'
     FROM generate_series(0, ($1::int - 1) / ${SEEDS}) number`,
    [size.runs],
  );
  await client.query(
    `INSERT INTO run (id, project_id, configuration_hash, seed, name, tags, state, attempt, metric_cursor, environment,
       created_at, started_at, ended_at, progress)
     SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(place), 12, '0'))::uuid, project.id,
       encode(sha256((place / ${SEEDS})::text::bytea), 'hex'), place % ${SEEDS}, 'run ' || place,
       CASE WHEN place % 10 = 0 THEN '{baseline}'::text[] ELSE '{}' END, 'SUCCEEDED', 1, 1,
       '{"host": "node-1", "python": "3.12", "packages": {"torch": "2.9"}}',
       now() - interval '30 days' + place * interval '1 second', now() - interval '30 days' + place * interval '1 second',
       now() - interval '29 days' + place * interval '1 second', 1
     FROM generate_series(0, $1::int - 1) place, project WHERE project.name = '${PROJECT}' ORDER BY place`,
    [size.runs],
  );
  for (let from = 0; from < size.runs; from += RUNS_AT_ONCE) {
    await client.query(
      `WITH series AS (
         INSERT INTO metric_series (run_id, name, point_count, last_step, last_value, last_time, minimum, maximum)
         SELECT run_id, name, $3::int, $3::int - 1, base * (1 + ($3::int - 1) / 1e3),
           now() - interval '1 day' + ($3::int - 1) * interval '1 second', base, base * (1 + ($3::int - 1) / 1e3)
         FROM (
           SELECT run.id AS run_id, run.number, given.name, given.position, random() AS base
           FROM (SELECT id, number FROM run WHERE number > $2::int ORDER BY number LIMIT ${RUNS_AT_ONCE}) run,
             unnest($1::text[]) WITH ORDINALITY AS given (name, position)
         ) drawn
         ORDER BY number, position RETURNING id, minimum
       ) ${pointsSql(size.loose, { value: 'series.minimum * (1 + step / 1e3)', intervalMs: 1_000 })}`,
      [metricNames(size.metrics), from, size.points],
    );
  }
  await client.query(
    `WITH series AS (
       INSERT INTO metric_series (run_id, name, point_count, last_step, last_value, last_time, minimum, maximum)
       SELECT id, $1, $3::int, $3::int - 1, sin(($3::int - 1) / 1e4),
         now() - interval '1 day' + ($3::int - 1) * interval '50 milliseconds', -1, 1
       FROM run WHERE number > $2::int ORDER BY number LIMIT 1 RETURNING id
     ) ${pointsSql(size.loose, { value: 'sin(step / 1e4)', intervalMs: 50 })}`,
    [LONG_METRIC, 0, size.longPoints],
  );
  await client.query('RESET session_replication_role');
}

/** The rest of a statement that has made `series`: $3 points of each, as rows or as the blocks that the API packs them into. */
function pointsSql(loose: boolean, { value, intervalMs }: { value: string; intervalMs: number }): string {
  const last = '$3::int - 1';
  const time = (step: string) => `now() - interval '1 day' + (${step}) * interval '${intervalMs} milliseconds'`;
  const rows = `SELECT series.id, step, ${value}, ${time('step')}, 1 FROM series, generate_series(0, ${last}) step`;
  if (loose) return `INSERT INTO metric_point (series_id, step, value, time, flush) ${rows}`;
  return `, part AS (
      SELECT series.id, first_step, least(first_step + ${BLOCK_POINTS - 1}, ${last}) AS last_step, packed.*
      FROM series, generate_series(0, ${last}, ${BLOCK_POINTS}) first_step, LATERAL (
        SELECT array_agg(${value} ORDER BY step) AS values, array_agg((step - first_step) * ${intervalMs} ORDER BY step) AS times,
          min(${value}) AS minimum, max(${value}) AS maximum
        FROM generate_series(first_step, least(first_step + ${BLOCK_POINTS - 1}, ${last})) step) packed
    )
    INSERT INTO metric_block (series_id, first_step, last_step, points, stride, first_flush, last_flush, minimum, maximum,
      last_value, last_time, first_time, values, times)
    SELECT id, first_step, last_step, last_step - first_step + 1, 1, 1, 1, minimum, maximum,
      values[cardinality(values)], ${time('last_step')}, ${time('first_step')}, values, times
    FROM part`;
}

/** What autovacuum does in a server that has stood for a while. */
export async function settle(client: pg.Client): Promise<void> {
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT').catch(() => {}); // only the superuser may
}

/** Waits until the API has packed the points of all ended runs: while it does, it has no time for those who ask. */
export async function waitUntilPacked(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('SELECT 1 FROM metric_point LIMIT 1');
    if (rows.length === 0) return;
    await setTimeout(1_000);
  }
}

/** Bytes of all tables that hold points, indices included. */
export async function pointBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::text AS bytes FROM pg_class
     WHERE relkind IN ('r', 'p') AND relname IN ('metric_point', 'metric_block')`,
  );
  return Number(rows[0]?.bytes ?? 0);
}
