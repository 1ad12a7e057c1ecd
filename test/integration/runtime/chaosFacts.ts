import type { Database } from '#src/base/platform/postgres/database.ts';

export interface ChaosFacts {
  runs: number;
  /** Runs by state. */
  states: Record<string, number>;
  attempts: number;
  /** What must not be: each a sentence about runs. Empty when everything is right. */
  wrongs: string[];
}

interface Wrong {
  what: string;
  count: number;
}

/** Looks, in SQL alone, for everything that killed processes could have left wrong. */
export async function readChaosFacts(db: Database): Promise<ChaosFacts> {
  const states = await db.$queryRaw<{ state: string; count: number }[]>`
    SELECT state::text, count(*)::int AS count FROM run GROUP BY state`;
  const [totals] = await db.$queryRaw<{ attempts: number }[]>`SELECT count(*)::int AS attempts FROM attempt`;
  const wrongs = await db.$queryRaw<Wrong[]>`
    SELECT 'runs still hold a worker or a lease' AS what, count(*)::int AS count
      FROM run WHERE state NOT IN ('RUNNING', 'QUEUED', 'WAITING') AND lease_expires_at > now() + interval '1 minute'
    UNION ALL SELECT 'runs whose attempts are not numbered 1 to n', count(*)::int FROM (
      SELECT run.id FROM run LEFT JOIN attempt ON attempt.run_id = run.id
      GROUP BY run.id HAVING count(attempt.number) <> run.attempt OR coalesce(max(attempt.number), 0) <> run.attempt
    ) numbered
    UNION ALL SELECT 'attempts before the last that did not fail or get lost', count(*)::int
      FROM attempt JOIN run ON run.id = attempt.run_id
      WHERE attempt.number < run.attempt AND attempt.state NOT IN ('LOST', 'FAILED')
    UNION ALL SELECT 'last attempts that differ from their run', count(*)::int
      FROM attempt JOIN run ON run.id = attempt.run_id
      WHERE attempt.number = run.attempt AND attempt.state::text <> run.state::text
    UNION ALL SELECT 'ended attempts without an end', count(*)::int
      FROM attempt WHERE state <> 'RUNNING' AND ended_at IS NULL
    UNION ALL SELECT 'series whose summary differs from their points', count(*)::int FROM (
      SELECT metric_series.id FROM metric_series LEFT JOIN LATERAL series_points(metric_series.id) metric_point ON true
      GROUP BY metric_series.id
      HAVING count(metric_point.step) <> metric_series.point_count
        OR max(metric_point.step) IS DISTINCT FROM metric_series.last_step
        OR (array_agg(metric_point.value ORDER BY metric_point.step DESC))[1] IS DISTINCT FROM metric_series.last_value
    ) summed
    UNION ALL SELECT 'runs without exactly one end among their events', count(*)::int FROM (
      SELECT run.id FROM run LEFT JOIN run_event ON run_event.run_id = run.id AND run_event.type = 'ended'
      GROUP BY run.id HAVING count(run_event.id) <> 1
    ) ends
    UNION ALL SELECT 'runs claimed more or less often than they have attempts', count(*)::int FROM (
      SELECT run.id FROM run LEFT JOIN run_event ON run_event.run_id = run.id AND run_event.type = 'claimed'
      GROUP BY run.id HAVING count(run_event.id) <> run.attempt
    ) claims`;
  return {
    runs: states.reduce((sum, { count }) => sum + count, 0),
    states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    attempts: totals?.attempts ?? 0,
    wrongs: wrongs.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what}`),
  };
}

interface PointRow {
  id: string;
  names: string[];
  steps: number[];
  values: number[];
}

/** A point as text, for comparison of whole runs; measured times differ from run to run and stay out. */
export function pointText({ name, step, value }: { name: string; step: number; value: number }): string {
  return name.startsWith('time/') ? `${name} ${step}` : `${name} ${step} ${value}`;
}

/** Every point of every run but for `system/*`, doubles and all, sorted. */
export async function pointsByRun(db: Database): Promise<Map<string, string[]>> {
  const rows = await db.$queryRaw<PointRow[]>`
    SELECT run.id, array_agg(metric_series.name) AS names, array_agg(step::float8) AS steps, array_agg(value) AS values
    FROM run JOIN metric_series ON metric_series.run_id = run.id
      CROSS JOIN LATERAL series_points(metric_series.id)
    WHERE metric_series.name NOT LIKE 'system/%' GROUP BY run.id`;
  return new Map(
    rows.map(({ id, names, steps, values }) => {
      const texts = names.map((name, index) => pointText({ name, step: steps[index]!, value: values[index]! }));
      return [id, texts.sort()];
    }),
  );
}
