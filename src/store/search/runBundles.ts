import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '../database/connection.ts';
import { float8, queryRows } from '../database/queryRows.ts';
import type { OrderKey, OrderPosition } from './runOrderSql.ts';
import { type RunSelection, SELECTED_FROM, selectionSql } from './runPage.ts';

const bundleRow = z.object({
  /** The run that began or ended last. */
  newestId: z.string(),
  number: z.int(),
  /** When it began or ended, in milliseconds. */
  time: float8,
  sweepId: z.string().nullable(),
  /** The tag of the study that queued them; null where none did. */
  studyTag: z.string().nullable(),
  runCount: z.int(),
  failedCount: z.int(),
});

/** A run, or all selected runs of one sweep or of one study. */
export type BundleRow = z.infer<typeof bundleRow>;

const countsRow = z.object({ bundles: z.int(), runs: z.int() });

const TIME = Prisma.sql`(extract(epoch FROM coalesce(run.ended_at, run.started_at, run.created_at)) * 1000)::float8`;

/** Bundles are ordered by when their newest run began or ended. */
export const BUNDLE_KEYS: readonly OrderKey[] = [{ type: 'number', expression: TIME }];

export interface BundleRange {
  /** Tags of studies, whose runs are bundled. */
  studyTags: readonly string[];
  after: OrderPosition | null;
  first: number;
}

/** The next bundles of a selection, those in which a run began or ended last first. */
export async function selectRunBundles(
  connection: Connection,
  selection: RunSelection,
  { studyTags, after, first }: BundleRange,
): Promise<BundleRow[]> {
  const time = after?.keys[0] ?? null;
  const beyond =
    after === null || time === null
      ? Prisma.empty
      : Prisma.sql`WHERE (time, number) < (${String(time)}::text::float8, ${after.number}::int)`;
  return await queryRows(connection, bundleRow)`
    SELECT * FROM (
      SELECT (array_agg(id ORDER BY time DESC, number DESC))[1]::text AS "newestId",
        (array_agg(number ORDER BY time DESC, number DESC))[1] AS number, max(time) AS time,
        sweep_id AS "sweepId", tag AS "studyTag", count(*)::int AS "runCount",
        (count(*) FILTER (WHERE state IN ('FAILED', 'CRASHED')))::int AS "failedCount"
      FROM (${bundledRuns(selection, studyTags)}) run
      GROUP BY sweep_id, tag, CASE WHEN sweep_id IS NULL AND tag IS NULL THEN id END
    ) bundle ${beyond} ORDER BY time DESC, number DESC LIMIT ${first}::int`;
}

/** How many bundles a selection has, and how many runs. */
export async function countRunBundles(
  connection: Connection,
  selection: RunSelection,
  studyTags: readonly string[],
): Promise<{ bundles: number; runs: number }> {
  const rows = await queryRows(connection, countsRow)`
    SELECT count(DISTINCT coalesce(sweep_id::text, tag, id::text))::int AS bundles, count(*)::int AS runs
    FROM (${bundledRuns(selection, studyTags)}) run`;
  return rows[0] ?? { bundles: 0, runs: 0 };
}

/** Selected runs with the sweep or the study to which they belong. */
function bundledRuns(selection: RunSelection, studyTags: readonly string[]): Prisma.Sql {
  return Prisma.sql`SELECT run.id, run.number, run.state, run.sweep_id, ${TIME} AS time,
      CASE WHEN run.sweep_id IS NULL AND run.tags <> '{}' THEN (
        SELECT min(tag) FROM unnest(run.tags) tag WHERE tag = ANY(${[...studyTags]}::text[])
      ) END AS tag
    ${SELECTED_FROM} WHERE ${selectionSql(selection)}`;
}
