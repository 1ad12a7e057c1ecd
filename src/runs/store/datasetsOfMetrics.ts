import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryPage, queryRows } from '#src/base/database/queryRows.ts';
import { type Grouping, placedRunsSql } from './groupedRunsSql.ts';
import { type RunSelection, SELECTED_FROM, selectionSql } from './runPage.ts';

const dataRow = z.object({ metric: z.string(), dataset: z.record(z.string(), z.unknown()) });
const datasetNameRow = z.object({ name: z.string() });
/** A metric, and the dataset with preparation and split of some of the runs that have it. */
export type DatasetOfMetric = z.infer<typeof dataRow>;

const DATA = Prisma.sql`coalesce(configuration.dataset, '{}') || jsonb_build_object('name', configuration.dataset_name)`;

/** Whether the selected runs that name a dataset saw more than one, its preparation and split counted: far cheaper than by metrics. */
export async function haveUnlikeData(connection: Connection, selection: RunSelection): Promise<boolean> {
  const rows = await queryPage(connection, datasetNameRow)`
    SELECT DISTINCT configuration.dataset_name AS name, coalesce(configuration.dataset, '{}') AS dataset ${SELECTED_FROM}
    WHERE ${selectionSql(selection)} AND configuration.dataset_name IS NOT NULL LIMIT 2`;
  return rows.length > 1;
}

/** The different datasets, with preparation and split, of the selected runs that have each of the metrics; runs that name none are left out. */
export async function listDatasetsOfMetrics(
  connection: Connection,
  selection: RunSelection,
  { metrics, limit }: { metrics: readonly string[]; limit: number },
): Promise<DatasetOfMetric[]> {
  if (metrics.length === 0) return [];
  return await queryRows(connection, dataRow)`
    SELECT DISTINCT measured.name AS metric, ${DATA} AS dataset
    ${SELECTED_FROM} JOIN metric_series measured ON measured.run_id = run.id AND measured.name = ANY(${[...metrics]}::text[])
    WHERE ${selectionSql(selection)} AND configuration.dataset_name IS NOT NULL LIMIT ${limit}::int`;
}

const groupDataRow = z.object({
  key: z.string(),
  dataset: z.record(z.string(), z.unknown()).nullable(),
  has: z.array(z.boolean()),
});
/** The dataset with preparation and split of some runs of a group, null where they name none, and which of the values these runs have. */
export type GroupData = z.infer<typeof groupDataRow>;

/** What data the runs of every group saw. */
export async function selectGroupData(
  connection: Connection,
  selection: RunSelection,
  grouping: Grouping,
): Promise<GroupData[]> {
  const indexes = [...grouping.values.keys()];
  const each = (column: (index: number) => string) => Prisma.raw(indexes.map(column).join(', '));
  return await queryRows(connection, groupDataRow)`
    WITH ${placedRunsSql(selection, grouping, ['configuration_hash'])}, seen AS (
      SELECT part, configuration_hash, ${each((i) => `count(v${i}) > 0 AS has${i}`)} FROM placed GROUP BY part, configuration_hash
    ), named AS (
      SELECT part, CASE WHEN configuration.dataset_name IS NOT NULL THEN ${DATA} END AS dataset,
        ARRAY[${each((i) => `bool_or(has${i})`)}] AS has
      FROM seen JOIN configuration ON configuration.hash = seen.configuration_hash GROUP BY 1, 2
    )
    SELECT parts.key::text, dataset, has FROM named JOIN parts ON parts.part = named.part`;
}
