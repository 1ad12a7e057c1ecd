import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { countRow, float8, queryRows } from '#src/base/database/queryRows.ts';
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

const TIME = Prisma.sql`coalesce(run.ended_at, run.started_at, run.created_at)`;
const TIME_MS = Prisma.sql`(extract(epoch FROM ${TIME}) * 1000)::float8`;
const HAS_FAILED = Prisma.sql`run.state IN ('FAILED', 'CRASHED')`;

/** Bundles are ordered by when their newest run began or ended. */
export const BUNDLE_KEYS: readonly OrderKey[] = [{ type: 'number', expression: TIME_MS }];

export interface BundleRange {
  /** Tags of studies, whose runs are bundled. */
  studyTags: readonly string[];
  after: OrderPosition | null;
  first: number;
}

/**
 * The next bundles of a selection, those in which a run began or ended last first. Runs of their own are read in this order, no
 * more than a page of them; those of sweeps and studies are counted together.
 */
export async function selectRunBundles(
  connection: Connection,
  selection: RunSelection,
  { studyTags, after, first }: BundleRange,
): Promise<BundleRow[]> {
  const time = after?.keys[0] ?? null;
  const isBeyond = (at: Prisma.Sql, number: Prisma.Sql) =>
    after === null || time === null
      ? Prisma.sql`true`
      : Prisma.sql`(${at}, ${number}) < (${String(time)}::text::float8, ${after.number}::int)`;
  const selected = Prisma.sql`${SELECTED_FROM} WHERE ${selectionSql(selection)}`;
  const { sweepOrStudy, study } = bundling(studyTags);
  return await queryRows(connection, bundleRow)`
    SELECT newest.id::text AS "newestId", bundle.* FROM (
      SELECT * FROM (
        SELECT run.number, ${TIME_MS} AS time, NULL::text AS "sweepId", NULL::text AS "studyTag", 1 AS "runCount",
          (${HAS_FAILED})::int AS "failedCount"
        ${selected} AND NOT ${sweepOrStudy} AND ${isBeyond(TIME_MS, Prisma.sql`run.number`)}
        ORDER BY ${TIME} DESC, run.number DESC LIMIT ${first}::int
      ) own
      UNION ALL
      SELECT * FROM (
        SELECT (max(ARRAY[run.time, run.number]))[2]::int AS number, max(run.time) AS time, run.sweep_id::text, run.study,
          count(*)::int, (count(*) FILTER (WHERE ${HAS_FAILED}))::int
        FROM (
          SELECT run.number, ${TIME_MS} AS time, run.sweep_id, ${study} AS study, run.state ${selected} AND ${sweepOrStudy}
        ) run
        GROUP BY run.sweep_id, run.study
      ) together WHERE ${isBeyond(Prisma.sql`together.time`, Prisma.sql`together.number`)}
    ) bundle JOIN run newest ON newest.number = bundle.number
    ORDER BY bundle.time DESC, bundle.number DESC LIMIT ${first}::int`;
}

/** How many runs a selection has. */
export async function countSelectedRuns(connection: Connection, selection: RunSelection): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count ${SELECTED_FROM} WHERE ${selectionSql(selection)}`;
  return rows[0]?.count ?? 0;
}

/** How many bundles a selection has. */
export async function countRunBundles(
  connection: Connection,
  selection: RunSelection,
  studyTags: readonly string[],
): Promise<number> {
  const { sweepOrStudy, study } = bundling(studyTags);
  const rows = await queryRows(connection, countRow)`
    SELECT (count(*) FILTER (WHERE NOT together)
        + count(DISTINCT coalesce(sweep_id::text, study)) FILTER (WHERE together))::int AS count
    FROM (
      SELECT run.sweep_id, ${sweepOrStudy} AS together, CASE WHEN ${sweepOrStudy} THEN ${study} END AS study
      ${SELECTED_FROM} WHERE ${selectionSql(selection)}
    ) run`;
  return rows[0]?.count ?? 0;
}

/** Whether a run belongs to a sweep or a study, and the tag of its study, which a run of a sweep has not. */
function bundling(studyTags: readonly string[]): { sweepOrStudy: Prisma.Sql; study: Prisma.Sql } {
  const tags = Prisma.sql`${[...studyTags]}::text[]`;
  return {
    sweepOrStudy: Prisma.sql`(run.sweep_id IS NOT NULL OR run.tags && ${tags})`,
    study: Prisma.sql`CASE WHEN run.sweep_id IS NULL THEN (
        SELECT min(tag) FROM unnest(run.tags) tag WHERE tag = ANY(${tags})
      ) END`,
  };
}
