import { ListRunsDocument, type ListRunsQuery, type ListRunsQueryVariables } from '#src/generated/api.ts';
import type { ApiClient } from '../apiClient.ts';
import type { CommandContext } from '../commandContext.ts';
import { formatNumber } from '../terminal/formatNumber.ts';
import { renderTable } from '../terminal/table.ts';
import {
  checkGuesses,
  type ListedRun,
  namedColumns,
  parameterColumn,
  parseColumns,
  type RunColumn,
} from './runColumns.ts';
import { tellingParameters } from './tellingParameters.ts';
import { fetchUsedNames, metricsToShow, withNamesOfFields } from './usedNames.ts';
import { badInput } from '#src/contracts/errors.ts';
import { PRIMARY_METRICS } from '#src/contracts/runFilter/filterHints.ts';

export interface ListOptions {
  filter: string | undefined;
  project?: string;
  order: string;
  columns?: string;
  /** Columns of a saved view, over which `columns` goes. */
  viewColumns?: readonly string[] | undefined;
  limit: number;
  trash?: boolean;
  json?: boolean;
}

const PAGE = 100;

/** The body of `warren ls`. */
export async function listRuns(context: CommandContext, options: ListOptions): Promise<void> {
  const { terminal } = context;
  const chosen = chosenColumns(options);
  const variables = {
    project: options.project ?? null,
    filter: options.filter ?? null,
    orderBy: parseOrder(options.order),
    inTrash: options.trash === true,
    withNotes: options.json === true || (chosen ?? []).some(({ reads }) => reads === 'notes'),
    withTexts: (chosen ?? []).some(({ reads }) => reads === 'texts'),
    withHeadline: (chosen ?? []).some(({ reads }) => reads === 'headline'),
    // Without a choice of columns all metrics are asked for where they are shown, else those in the columns.
    names:
      chosen === null
        ? options.json === true
          ? null
          : PRIMARY_METRICS
        : chosen.flatMap((column) => column.metric ?? []),
  };
  const api = await context.api();
  const page = await withNamesOfFields(api, options.project, () => fetchPages(api, variables, options.limit));
  const { totalCount } = page;
  const doubtful = (chosen ?? []).filter(({ isGuess, metric }) => isGuess === true && !isLogged(page.runs, metric));
  if (doubtful.length > 0) checkGuesses(doubtful, await fetchUsedNames(api, options.project));
  if (options.json === true) terminal.print(JSON.stringify(page.runs.map(listedJson), null, 2));
  if (page.runs.length === 0) {
    if (options.filter === undefined) {
      if (options.json !== true) terminal.say('warren: there are no runs yet; `warren run` queues some');
      return;
    }
    terminal.say('warren: no run matches the filter');
    for (const hint of page.hints) terminal.say(hint);
  }
  if (page.runs.length === 0 || options.json === true) return;
  for (const hint of page.hints) terminal.say(`warren: --order: ${hint}`);
  const listed = chosen ?? (await defaultColumns(page.runs));
  const isPlain = chosen === null && !page.runs.some(({ metrics }) => metrics.length > 0);
  const own = isPlain ? await metricsToShow(api, variables, options.limit) : [];
  const runs = own.length === 0 ? page.runs : (await fetchPages(api, { ...variables, names: own }, options.limit)).runs;
  const shown = own.filter((name) => isLogged(runs, name));
  const columns = shown.length === 0 ? listed : await usualColumns(shown, runs);
  const now = new Date();
  const lines = renderTable(
    columns,
    runs.map((run) => columns.map((column) => column.cell(run, { colours: terminal.colours, now }))),
    { width: terminal.width(), styleHeader: terminal.colours.bold },
  );
  terminal.print(lines.join('\n'));
  if (totalCount > runs.length)
    terminal.say(terminal.colours.dim(`${runs.length} of ${totalCount} runs; --limit shows more`));
}

function isLogged(runs: readonly ListedRun[], metric: string | undefined): boolean {
  return runs.some(({ metrics, texts = [] }) => [...metrics, ...texts].some(({ name }) => name === metric));
}

function chosenColumns({ columns, viewColumns }: ListOptions): RunColumn[] | null {
  if (columns !== undefined) return parseColumns(columns);
  return viewColumns === undefined ? null : namedColumns(viewColumns);
}

async function fetchPages(api: ApiClient, variables: ListRunsQueryVariables, limit: number) {
  const runs: ListedRun[] = [];
  const hints: string[] = [];
  let after: string | null = null;
  for (;;) {
    const first = Math.min(PAGE, limit - runs.length);
    const page: ListRunsQuery = await api.request(ListRunsDocument, { ...variables, first, after });
    runs.push(...page.runs.edges.map((edge) => edge.node));
    hints.push(...page.runs.hints);
    const { hasNextPage, endCursor } = page.runs.pageInfo;
    if (!hasNextPage || endCursor === null || runs.length >= limit)
      return { runs, hints, totalCount: page.runs.totalCount };
    after = endCursor;
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

/** Drawn numbers have many digits. */
function withShortNumbers(column: RunColumn): RunColumn {
  return {
    ...column,
    cell(run, context) {
      const text = column.cell(run, context);
      return /^-?\d+\.\d{5,}$/.test(text) ? formatNumber(Number(text)) : text;
    },
  };
}

function listedJson(run: ListedRun) {
  const { metrics, configuration, ...rest } = run;
  return {
    ...rest,
    project: run.project.name,
    kind: configuration.kind,
    dataset: configuration.datasetName,
    config: configuration.parameters,
    metrics: Object.fromEntries(metrics.map((metric) => [metric.name, metric.summary])),
  };
}

/** `created`, `-duration`, `-metric.test/ndcg@10` as the API's RunOrder; a minus means the greatest first. */
export function parseOrder(text: string): { by: string; direction: 'ASC' | 'DESC' } {
  const descending = text.startsWith('-');
  const by = descending ? text.slice(1) : text;
  if (by === '') throw badInput('expected what to order by, such as -created or metric.test/loss', '--order');
  const metric = /^metric\.([^"].*)$/s.exec(by)?.[1];
  return { by: metric === undefined ? by : `metric.${JSON.stringify(metric)}`, direction: descending ? 'DESC' : 'ASC' };
}
