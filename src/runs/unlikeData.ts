import { badInput } from '#src/base/contracts/errors.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { haveUnlikeData, listDatasetsOfMetrics } from '#src/runs/store/datasetsOfMetrics.ts';
import type { RunSelection } from '#src/runs/store/runPage.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { dataLeaves, differingFields } from '#src/base/lib/differingData.ts';
import { type ListRunsInput, resolveSelection } from './listRuns.ts';

export interface UnlikeDataInput extends Pick<ListRunsInput, 'project' | 'filter' | 'inTrash'> {
  metrics: readonly string[];
}

/** A metric whose values do not compare, since the runs that have it saw different data. */
export interface UnlikeData {
  metric: string;
  /** In what the data differ: `name`, `core`, `split`; in order. */
  fields: string[];
}

const MOST_METRICS = 20;
/** Different data of all metrics that are looked at: two are enough to differ. */
const MOST_DATASETS = 2_000;

/**
 * The metrics whose runs, of those that meet a filter, differ in their dataset, its preparation or its split.
 * @throws WarrenError BAD_INPUT for a filter that cannot be or too many metrics; NOT_FOUND for an unknown project.
 */
export async function unlikeData(
  context: Pick<ServiceContext, 'db'>,
  { metrics, ...input }: UnlikeDataInput,
): Promise<UnlikeData[]> {
  if (metrics.length > MOST_METRICS) {
    throw badInput(`metrics: received ${metrics.length}, expected at most ${MOST_METRICS}`, 'metrics');
  }
  return await findUnlikeData(context.db, await resolveSelection(context, input), metrics);
}

/** The same of runs that are selected already. */
export async function findUnlikeData(
  connection: Connection,
  selection: RunSelection,
  metrics: readonly string[],
): Promise<UnlikeData[]> {
  if (metrics.length === 0 || !(await haveUnlikeData(connection, selection))) return [];
  const found = await listDatasetsOfMetrics(connection, selection, { metrics, limit: MOST_DATASETS });
  return [...new Set(metrics)].flatMap((metric) => {
    const data = found.filter((one) => one.metric === metric);
    const fields = differingFields(data.map(({ dataset }) => dataLeaves(dataset)));
    return fields.length === 0 ? [] : [{ metric, fields }];
  });
}
