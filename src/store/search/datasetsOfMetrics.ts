import { z } from 'zod';
import type { Connection } from '../database/connection.ts';
import { queryRows } from '../database/queryRows.ts';
import { type RunSelection, SELECTED_FROM, selectionSql } from './runPage.ts';

const dataRow = z.object({ metric: z.string(), dataset: z.record(z.string(), z.unknown()) });
/** A metric, and the dataset with preparation and split of some of the runs that have it. */
export type DatasetOfMetric = z.infer<typeof dataRow>;

/** The different datasets, with preparation and split, of the selected runs that have each of the metrics; runs that name none are left out. */
export async function listDatasetsOfMetrics(
  connection: Connection,
  selection: RunSelection,
  { metrics, limit }: { metrics: readonly string[]; limit: number },
): Promise<DatasetOfMetric[]> {
  if (metrics.length === 0) return [];
  return await queryRows(connection, dataRow)`
    SELECT DISTINCT measured.name AS metric,
      coalesce(configuration.dataset, '{}') || jsonb_build_object('name', configuration.dataset_name) AS dataset
    ${SELECTED_FROM} JOIN metric_series measured ON measured.run_id = run.id AND measured.name = ANY(${[...metrics]}::text[])
    WHERE ${selectionSql(selection)} AND configuration.dataset_name IS NOT NULL LIMIT ${limit}::int`;
}
