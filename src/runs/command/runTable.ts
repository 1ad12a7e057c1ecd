import { PRIMARY_METRICS } from '#src/base/contracts/runFilter/filterHints.ts';
import { ListRunsDocument, type ListRunsQuery, type ListRunsQueryVariables } from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { shortNumber } from '#src/base/terminal/formatNumber.ts';
import {
  type ListedRun,
  namedColumns,
  parameterColumn,
  meantColumns,
  parseColumns,
  type RunColumn,
} from './runColumns.ts';
import { parseOrder } from './runOrder.ts';
import { tellingParameters } from './tellingParameters.ts';
import { fetchUsedNames, metricsToShow, withNamesOfFields } from './usedNames.ts';

export interface RunTableOptions {
  filter: string | undefined;
  project?: string | undefined;
  order: string;
  columns?: string | undefined;
  /** Columns of a saved view, over which `columns` goes. */
  viewColumns?: readonly string[] | undefined;
  limit: number;
  trash?: boolean | undefined;
  /** Where an earlier answer ended. */
  after?: string | undefined;
  /** For a machine: notes and all metrics, where no columns were chosen, and these are not completed. */
  whole?: boolean | undefined;
}

export interface RunTable {
  runs: ListedRun[];
  columns: RunColumn[];
  /** What of the filter or the order no run has. */
  hints: string[];
  totalCount: number;
  /** `after` of what follows; null at the end. */
  next: string | null;
}

const PAGE = 100;

/** The runs that match, with the columns that were chosen, or else tell most of them. @throws WarrenError BAD_INPUT that says what was meant. */
export async function readRunTable(api: ApiClient, options: RunTableOptions): Promise<RunTable> {
  let chosen = chosenColumns(options);
  const whole = options.whole === true;
  const variables = {
    project: options.project ?? null,
    filter: options.filter ?? null,
    orderBy: parseOrder(options.order),
    inTrash: options.trash === true,
    withNotes: whole || (chosen ?? []).some(({ reads }) => reads === 'notes'),
    withTexts: (chosen ?? []).some(({ reads }) => reads === 'texts'),
    withHeadline: (chosen ?? []).some(({ reads }) => reads === 'headline'),
    // Without a choice of columns all metrics are asked for where they are shown, else those in the columns.
    names: chosen === null ? (whole ? null : PRIMARY_METRICS) : chosen.flatMap((column) => column.metric ?? []),
  };
  const range = { limit: options.limit, after: options.after ?? null };
  const page = await withNamesOfFields(api, options.project, () => fetchPages(api, variables, range));
  const doubtful = (chosen ?? []).filter(({ isGuess, metric }) => isGuess === true && !isLogged(page.runs, metric));
  if (chosen !== null && doubtful.length > 0) {
    const meant = meantColumns(doubtful, await fetchUsedNames(api, options.project));
    chosen = chosen.map((column) => meant[doubtful.indexOf(column)] ?? column);
  }
  if (whole || page.runs.length === 0) return { ...page, columns: chosen ?? [] };
  const listed = chosen ?? (await defaultColumns(page.runs));
  // runs of programs may have main metrics of other kinds, and no kind that shows them
  const isPlain = chosen === null && !listed.some(({ metric }) => metric !== undefined);
  const own = isPlain ? await metricsToShow(api, variables, options.limit) : [];
  const runs = own.length === 0 ? page.runs : (await fetchPages(api, { ...variables, names: own }, range)).runs;
  const shown = own.filter((name) => isLogged(runs, name));
  return { ...page, runs, columns: shown.length === 0 ? listed : await usualColumns(shown, runs) };
}

function isLogged(runs: readonly ListedRun[], metric: string | undefined): boolean {
  return runs.some(({ metrics, texts = [] }) => [...metrics, ...texts].some(({ name }) => name === metric));
}

function chosenColumns({ columns, viewColumns }: RunTableOptions): RunColumn[] | null {
  if (columns !== undefined) return parseColumns(columns);
  return viewColumns === undefined ? null : namedColumns(viewColumns);
}

async function fetchPages(
  api: ApiClient,
  variables: ListRunsQueryVariables,
  { limit, after: start }: { limit: number; after: string | null },
): Promise<Omit<RunTable, 'columns'>> {
  const runs: ListedRun[] = [];
  const hints: string[] = [];
  for (let after = start; ; ) {
    const first = Math.min(PAGE, limit - runs.length);
    const page: ListRunsQuery = await api.request(ListRunsDocument, { ...variables, first, after });
    runs.push(...page.runs.edges.map((edge) => edge.node));
    hints.push(...page.runs.hints);
    const { hasNextPage, endCursor } = page.runs.pageInfo;
    const next = hasNextPage ? endCursor : null;
    if (next === null || runs.length >= limit) return { runs, hints, totalCount: page.runs.totalCount, next };
    after = next;
  }
}

/** The usual columns, with the main metric of the kinds that are shown. */
async function defaultColumns(runs: readonly ListedRun[]): Promise<RunColumn[]> {
  const { findKind } = await import('#src/catalog/kinds.ts');
  const metrics = new Set<string>();
  for (const kind of new Set(runs.map((run) => run.configuration.kind))) {
    // a kind of a newer or older version, or of a module that is not here, has none
    const primary = findKind(kind)?.primaryMetric;
    if (primary !== undefined && runs.some((run) => run.metrics.some((metric) => metric.name === primary)))
      metrics.add(primary);
  }
  return await usualColumns([...metrics], runs);
}

async function usualColumns(metrics: readonly string[], runs: readonly ListedRun[]): Promise<RunColumn[]> {
  const dataset = runs.some(({ configuration }) => configuration.datasetName !== null) ? ['dataset'] : [];
  const telling = (await tellingParameters(runs)).map((path) => withShortNumbers(parameterColumn(path)));
  const named = metrics.map((name) => `metric.${name}`);
  return [
    ...namedColumns(['number', 'state', 'name', ...dataset, 'seed']),
    ...telling,
    ...namedColumns([...named, 'duration', 'created']),
  ];
}

function withShortNumbers(column: RunColumn): RunColumn {
  return { ...column, cell: (run, context) => shortNumber(column.cell(run, context)) };
}
