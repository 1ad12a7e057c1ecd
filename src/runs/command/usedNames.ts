import { WarrenError } from '#src/base/contracts/errors.ts';
import { fieldHint, metricHints, usualMetrics, type UsedNames } from '#src/base/contracts/runFilter/filterHints.ts';
import { ListRunsDocument, type ListRunsQueryVariables, UsedNamesDocument } from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

/** What the runs of a project, or all, have. */
export async function fetchUsedNames(api: ApiClient, project: string | undefined): Promise<UsedNames> {
  return (await api.request(UsedNamesDocument, { project: project ?? null })).runColumns;
}

/** So many runs tell which metrics those that match have. */
const SAMPLED_RUNS = 10;

/**
 * The metrics to show of runs that match where nobody said which: of the first of them; without a filter, unless `first` says how
 * many of them count, of all in their project.
 */
export async function metricsToShow(
  api: ApiClient,
  which: Pick<ListRunsQueryVariables, 'project' | 'filter' | 'orderBy' | 'inTrash'>,
  first?: number,
): Promise<string[]> {
  if (which.filter == null && first === undefined)
    return usualMetrics((await fetchUsedNames(api, which.project ?? undefined)).metrics);
  const { runs } = await api.request(ListRunsDocument, {
    ...which,
    names: null,
    first: Math.min(first ?? SAMPLED_RUNS, SAMPLED_RUNS),
  });
  const names = runs.edges.flatMap(({ node }) => node.metrics.map(({ name }) => name));
  return usualMetrics([...new Set(names)].sort());
}

/** Asks what has a filter; one with a field that there is not is refused with the metric or parameter that may be meant. */
export async function withNamesOfFields<Answer>(
  api: ApiClient,
  project: string | undefined,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof WarrenError) || !/^(filter|orderBy)\b/.test(error.path ?? '')) throw error;
    const field = /there is no field "([^"]+)"/.exec(error.message)?.[1];
    const metric = /^.*nobody told whether "([^"]+)"/.exec(error.message)?.[1];
    const used = field === undefined && metric === undefined ? null : await fetchUsedNames(api, project);
    const unknown = used === null || metric === undefined ? undefined : metricHints([metric], used)[0];
    const hint = used === null || field === undefined ? (unknown ?? null) : fieldHint(field, used);
    throw hint === null
      ? error
      : new WarrenError(error.code, `${error.message}\n${hint}`, { path: error.path ?? 'filter' });
  }
}
