import { badInput } from '#src/contracts/errors.ts';
import { flattenJson } from '#src/lib/flattenJson.ts';
import { canonicalJson } from '#src/lib/stableHash.ts';
import { haveUnlikeData, listDatasetsOfMetrics } from '#src/store/search/datasetsOfMetrics.ts';
import type { ServiceContext } from '../serviceContext.ts';
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
  const selection = await resolveSelection(context, input);
  if (!(await haveUnlikeData(context.db, selection))) return [];
  const found = await listDatasetsOfMetrics(context.db, selection, { metrics, limit: MOST_DATASETS });
  return [...new Set(metrics)].flatMap((metric) => {
    const data = found.filter((one) => one.metric === metric);
    const leaves = data.map(
      ({ dataset }) => new Map(flattenJson(dataset, '').map(([path, value]) => [path.slice(1), value])),
    );
    const paths = [...new Set(leaves.flatMap((one) => [...one.keys()]))];
    // what one kind of data does not say (`lenient`) it is not known to differ in
    const fields = paths.filter((path) => {
      const values = leaves.flatMap((one) => (one.has(path) ? [canonicalJson(one.get(path))] : []));
      return new Set(values).size > 1;
    });
    return fields.length === 0 ? [] : [{ metric, fields: inOrder(fields) }];
  });
}

/** The dataset itself first. */
function inOrder(fields: readonly string[]): string[] {
  return fields.toSorted((a, b) => Number(b === 'name') - Number(a === 'name') || a.localeCompare(b));
}
