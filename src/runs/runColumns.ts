import { listTags } from '#src/runs/store/configurationColumns.ts';
import { listTextNames } from '#src/media/store/textNames.ts';
import { listMetricNames } from '#src/metrics/store/metricSeries.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { usedConfigurations } from './usedConfigurations.ts';

/** What runs can be shown, filtered and ordered by, each list by name. */
export interface RunColumns {
  metrics: string[];
  /** Paths such as `dataset.name` and `parameters.sigmaW`; `config.` before one gives a field of the filter language. */
  configuration: string[];
  /** Those of `configuration` in which runs that have them differ; what most configurations have comes first. */
  varying: string[];
  kinds: string[];
  /** Names of datasets. */
  datasets: string[];
  tags: string[];
  /** Names under which texts were logged. */
  texts: string[];
  /** The values that configurations have at a path of `configuration`, as texts. */
  valuesOf(path: string): string[];
}

const MOST_NAMES = 5_000;
const MOST_CONFIGURATIONS = 2_000;

/** Columns to choose from for the runs of a project, or of all. */
export async function runColumns(
  context: Pick<ServiceContext, 'db'>,
  input: { project?: string | null | undefined } = {},
): Promise<RunColumns> {
  const projectId = await resolveProject(context, input.project);
  const [metrics, used, tags, texts] = await Promise.all([
    listMetricNames(context.db, projectId, MOST_NAMES),
    usedConfigurations(context.db, projectId, MOST_CONFIGURATIONS),
    listTags(context.db, projectId, MOST_NAMES),
    listTextNames(context.db, projectId, MOST_NAMES),
  ]);
  const { paths, varying, kinds, datasets, valuesOf } = used;
  const most = (names: string[]) => names.slice(0, MOST_NAMES);
  const ofConfigurations = { configuration: most(paths), varying: most(varying), kinds, datasets: most(datasets) };
  return { metrics, ...ofConfigurations, tags, texts, valuesOf };
}
