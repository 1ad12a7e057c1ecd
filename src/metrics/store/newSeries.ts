import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import type { NewPoints } from './pointColumns.ts';

const createdRow = z.object({ series: z.int(), points: z.int() });

/** What becomes of series that were not there, each counted as `NewPoints` does, from 1. */
export interface NewSeries {
  /** How many were made. */
  count: number;
  /** Those whose points are written. */
  written: ReadonlySet<number>;
  /** How many points these have. */
  points: number;
}

/** Columns of the summaries of series, an entry a name. */
interface Summaries {
  points: number[];
  lastSteps: number[];
  lastValues: number[];
  lastTimes: number[];
  /** Of the finite values; NaN where there is none. */
  minima: number[];
  maxima: number[];
}

/**
 * Makes the series of a run that are not there, summed up over the points given, with these points as rows: a summary that is
 * written later is a second copy in each index. For use while the run's row is locked.
 * @param points Those of series that make no blocks; names without any get a series without points.
 */
export async function insertNewSeries(
  connection: Connection,
  { runId, cursor }: { runId: string; cursor: number },
  points: NewPoints,
): Promise<NewSeries> {
  // names that differ only in what PostgreSQL cannot hold are one there
  const areOne = new Set(points.names).size < points.names.length;
  const own = areOne ? { names: points.names, series: [], steps: [], values: [], times: [] } : points;
  const summaries = summaryColumns(own);
  const rows = await queryRows(connection, createdRow)`
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(${points.names}::text[], ${numberArrayLiteral(summaries.points)}::int4[],
        ${numberArrayLiteral(summaries.lastSteps)}::int8[], ${numberArrayLiteral(summaries.lastValues)}::float8[],
        ${numberArrayLiteral(summaries.lastTimes)}::int8[], ${numberArrayLiteral(summaries.minima)}::float8[],
        ${numberArrayLiteral(summaries.maxima)}::float8[]) WITH ORDINALITY
        AS one (name, points, last_step, last_value, last_time, minimum, maximum, series)
    ), created AS (
      INSERT INTO metric_series (run_id, name, point_count, last_step, last_value, last_time, minimum, maximum)
      SELECT ${runId}::uuid, name, points, last_step, last_value, CASE WHEN points > 0 THEN to_timestamp(last_time / 1000.0) END,
        nullif(minimum, 'NaN'), nullif(maximum, 'NaN')
      FROM given WHERE NOT EXISTS (SELECT FROM metric_series known WHERE known.run_id = ${runId}::uuid AND known.name = given.name)
      ON CONFLICT DO NOTHING RETURNING id, name
    ), numbered AS MATERIALIZED (
      SELECT created.id, given.series, given.points FROM created JOIN given ON given.name = created.name
    ), inserted AS (
      INSERT INTO metric_point (series_id, step, value, time, flush)
      SELECT numbered.id, point.step, point.value, to_timestamp(point.time / 1000.0), ${cursor}::int
      FROM unnest(${numberArrayLiteral(own.series)}::int8[], ${numberArrayLiteral(own.steps)}::int8[],
        ${numberArrayLiteral(own.values)}::float8[], ${numberArrayLiteral(own.times)}::int8[])
        AS point (series, step, value, time)
      JOIN numbered ON numbered.series = point.series
    )
    SELECT series::int4 AS series, points FROM numbered`;
  const written = rows.filter((row) => row.points > 0);
  return {
    count: rows.length,
    written: new Set(written.map(({ series }) => series)),
    points: written.reduce((sum, row) => sum + row.points, 0),
  };
}

function summaryColumns({ names, series, steps, values, times }: NewPoints): Summaries {
  const column = (value: number) => names.map(() => value);
  const summaries = {
    // as the table has them of series without points
    ...{ points: column(0), lastSteps: column(-1), lastValues: column(0), lastTimes: column(0) },
    ...{ minima: column(Number.NaN), maxima: column(Number.NaN) },
  };
  for (const [place, number] of series.entries()) {
    const index = number - 1;
    const value = values[place]!;
    const step = steps[place]!;
    if (summaries.points[index]! === 0 || step > summaries.lastSteps[index]!) {
      summaries.lastSteps[index] = step;
      summaries.lastValues[index] = value;
      summaries.lastTimes[index] = times[place]!;
    }
    summaries.points[index]!++;
    if (!Number.isFinite(value)) continue;
    if (!(summaries.minima[index]! <= value)) summaries.minima[index] = value;
    if (!(summaries.maxima[index]! >= value)) summaries.maxima[index] = value;
  }
  return summaries;
}

/** The points of all other series. */
export function pointsBeside({ names, ...points }: NewPoints, left: ReadonlySet<number>): NewPoints {
  if (left.size === 0) return { names, ...points };
  const stays = points.series.map((one) => !left.has(one));
  const rest = (column: readonly number[]) => column.filter((_, place) => stays[place]);
  const { series, steps, values, times } = points;
  return { names, series: rest(series), steps: rest(steps), values: rest(values), times: rest(times) };
}
