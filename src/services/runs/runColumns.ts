import { listTags, listUsedConfigurations } from '#src/store/search/configurationColumns.ts';
import { listMetricNames } from '#src/store/reports/metricSeries.ts';
import { flattenConfiguration } from './flattenConfiguration.ts';
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
  const [metrics, configurations, tags] = await Promise.all([
    listMetricNames(context.db, projectId, MOST_NAMES),
    listUsedConfigurations(context.db, projectId, MOST_CONFIGURATIONS),
    listTags(context.db, projectId, MOST_NAMES),
  ]);
  const paths = new Set(configurations.flatMap((configuration) => [...flattenConfiguration(configuration).keys()]));
  return { metrics, configuration: [...paths].sort().slice(0, MOST_NAMES), tags };
}
