import { listTags } from '#src/store/search/configurationColumns.ts';
import { listMetricNames } from '#src/store/reports/metricSeries.ts';
import { configurationPaths } from './configurationPaths.ts';
import { resolveProject } from './listRuns.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** What runs can be shown, filtered and ordered by, each list by name. */
export interface RunColumns {
  metrics: string[];
  /** Paths such as `dataset.name` and `parameters.sigmaW`; `config.` before one gives a field of the filter language. */
  configuration: string[];
  tags: string[];
}

const MOST_NAMES = 5_000;
const MOST_CONFIGURATIONS = 2_000;

/** Columns to choose from for the runs of a project, or of all. */
export async function runColumns(
  context: Pick<ServiceContext, 'db'>,
  input: { project?: string | null | undefined } = {},
): Promise<RunColumns> {
  const projectId = await resolveProject(context, input.project);
  const [metrics, paths, tags] = await Promise.all([
    listMetricNames(context.db, projectId, MOST_NAMES),
    configurationPaths(context.db, projectId, MOST_CONFIGURATIONS),
    listTags(context.db, projectId, MOST_NAMES),
  ]);
  return { metrics, configuration: paths.slice(0, MOST_NAMES), tags };
}
