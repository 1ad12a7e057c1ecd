import type { Connection } from '../database/connection.ts';

/** A row of `metric_series`: one named series of a run, summed up. */
export interface SeriesRecord {
  /** A decimal number. */
  id: string;
  runId: string;
  name: string;
  pointCount: number;
  lastStep: number;
  /** The value at the greatest step; may be NaN or infinite. */
  lastValue: number;
  /** Extremes over the finite values; null when there is none. */
  minimum: number | null;
  maximum: number | null;
}

/** The series of the runs, by run and name; with `names`, only those. */
export async function listSeries(
  connection: Connection,
  runIds: readonly string[],
  names: readonly string[] | null = null,
): Promise<SeriesRecord[]> {
  if (runIds.length === 0) return [];
  const rows = await connection.$queryRaw<(Omit<SeriesRecord, 'lastStep'> & { lastStep: bigint })[]>`
    SELECT id::text, run_id AS "runId", name, point_count AS "pointCount", last_step AS "lastStep",
      last_value AS "lastValue", minimum, maximum
    FROM metric_series
    WHERE run_id = ANY(${[...runIds]}::uuid[]) AND point_count > 0
      AND (${names === null} OR name = ANY(${[...(names ?? [])]}::text[]))
    ORDER BY run_id, name COLLATE "C"`;
  return rows.map((row) => ({ ...row, lastStep: Number(row.lastStep) }));
}

/** How many series the runs have. */
export async function countSeries(connection: Connection, runIds: readonly string[]): Promise<number> {
  const rows = await connection.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM metric_series WHERE run_id = ANY(${[...runIds]}::uuid[]) AND point_count > 0`;
  return rows[0]?.count ?? 0;
}

/**
 * Names of the series that runs have, of one project or of all, at most `limit`. Steps from name to name through the
 * index, so that it does not read every series of every run.
 */
export async function listMetricNames(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await connection.$queryRaw<{ name: string }[]>`
    WITH RECURSIVE known AS (
      (SELECT name FROM metric_series ORDER BY name LIMIT 1)
      UNION ALL
      SELECT (SELECT metric_series.name FROM metric_series WHERE metric_series.name > known.name
        ORDER BY metric_series.name LIMIT 1)
      FROM known WHERE known.name IS NOT NULL
    )
    SELECT known.name FROM known WHERE known.name IS NOT NULL AND EXISTS (
      SELECT FROM metric_series JOIN run ON run.id = metric_series.run_id
      WHERE metric_series.name = known.name AND run.deleted_at IS NULL
        AND (${projectId}::uuid IS NULL OR run.project_id = ${projectId}::uuid))
    LIMIT ${limit}::int`;
  return rows.map((row) => row.name).sort();
}

/** The greatest step that a run has logged, but for `system/*`, which counts seconds; 0 when there is none. */
export async function lastLoggedStep(connection: Connection, runId: string): Promise<number> {
  const rows = await connection.$queryRaw<{ step: number }[]>`
    SELECT coalesce(max(last_step), 0)::float8 AS step FROM metric_series
    WHERE run_id = ${runId}::uuid AND name NOT LIKE 'system/%' AND last_step >= 0`;
  return rows[0]?.step ?? 0;
}
