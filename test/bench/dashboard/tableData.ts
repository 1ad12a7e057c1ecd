import type pg from 'pg';

export const PROJECT = 'table';
const RUNS_AT_ONCE = 500;

/** `group-07/metric-0123`, the first to `count`: a name as long as those of real programs. */
export function metricNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const [group, place] = [String(index % 20).padStart(2, '0'), String(index).padStart(4, '0')];
    return `group-${group}/metric-${place}`;
  });
}

/** Writes ended runs with the summaries of all their metrics straight into an empty database: what a table reads, without points. */
export async function loadTableData(client: pg.Client, size: { runs: number; metrics: number }): Promise<void> {
  await client.query('SELECT setseed(0.5)');
  await client.query('INSERT INTO project (id, name) VALUES (gen_random_uuid(), $1)', [PROJECT]);
  await client.query(
    `INSERT INTO configuration (hash, kind, kind_version, dataset, dataset_name, parameters)
     SELECT encode(sha256(number::text::bytea), 'hex'), 'external', 1, '{"name": "beauty"}', 'beauty',
       jsonb_build_object('model', 'sasrec', 'learningRate', (number % 50 + 1) / 1000.0, 'number', number)
     FROM generate_series(0, ($1::int - 1) / 5) number`,
    [size.runs],
  );
  await client.query(
    `INSERT INTO run (id, project_id, configuration_hash, seed, name, tags, state, attempt, created_at, started_at, ended_at, progress)
     SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(place), 12, '0'))::uuid, project.id,
       encode(sha256((place / 5)::text::bytea), 'hex'), place % 5, 'run ' || place,
       CASE WHEN place % 10 = 0 THEN '{baseline}'::text[] ELSE '{}' END,
       (CASE WHEN place % 12 = 0 THEN 'FAILED' ELSE 'SUCCEEDED' END)::run_state, 1,
       now() - interval '30 days' + place * interval '1 second', now() - interval '30 days' + place * interval '1 second',
       now() - interval '29 days' + place * interval '1 second', 1
     FROM generate_series(0, $1::int - 1) place, project ORDER BY place`,
    [size.runs],
  );
  for (let from = 0; from < size.runs; from += RUNS_AT_ONCE) {
    await client.query(
      `INSERT INTO metric_series (run_id, name, point_count, last_step, last_value, minimum, maximum)
       SELECT run.id, given.name, 1, 0, base, base, base
       FROM (SELECT id, number FROM run ORDER BY number LIMIT ${RUNS_AT_ONCE} OFFSET $2::int) run,
         unnest($1::text[]) WITH ORDINALITY AS given (name, position), LATERAL (SELECT random() AS base WHERE position > 0) random
       ORDER BY run.number, position`,
      [metricNames(size.metrics), from],
    );
  }
}
