import { badInput } from '#src/contracts/errors.ts';
import { filterHints, metricHints } from '#src/contracts/runFilter/filterHints.ts';
import {
  ListGroupsDocument,
  type ListGroupsQuery,
  type ListGroupsQueryVariables,
  UnlikeDataOfGroupsDocument,
} from '#src/generated/api.ts';
import { unlikeDataText } from '#src/lib/differingData.ts';
import { metricTexts, verdictText, writeGroupedTable } from '#src/lib/groupedTable.ts';
import { printable } from '#src/lib/printable.ts';
import { shownGroups, type ShownGroups } from '#src/lib/shownGroups.ts';
import type { ApiClient } from '../apiClient.ts';
import type { CommandContext } from '../commandContext.ts';
import { counted } from '../terminal/counted.ts';
import { renderTable, type TableColumn } from '../terminal/table.ts';
import { parseOrder } from './listRuns.ts';
import { fetchUsedNames, metricsToShow, withNamesOfFields } from './usedNames.ts';

export interface GroupOptions {
  filter: string | undefined;
  project?: string;
  order: string;
  limit: number;
  trash?: boolean;
  groupBy: string;
  /** Left out: what recommenders are looked at by, or what the runs have. */
  metric?: string;
  /** `last`, `best`, or a metric at whose best step the values are. */
  value: string;
  baseline?: string;
  format: 'table' | 'md' | 'latex' | 'csv' | 'json';
  json?: boolean;
}

type Groups = ListGroupsQuery['runGroups'];

const PAGE = 200;
/** The order of `warren ls` where none is asked for. */
const DEFAULT_ORDER = '-number';
const BEST = '*';
const FIRST_METRIC = 'test/ndcg@10';

/** The body of `warren ls --group-by`. */
export async function listGroups(context: CommandContext, options: GroupOptions): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const which = { project: options.project ?? null, filter: options.filter ?? null, inTrash: options.trash === true };
  const usual =
    options.metric === undefined ? await withNamesOfFields(api, options.project, () => metricsToShow(api, which)) : [];
  let names = options.metric !== undefined ? list(options.metric) : usual.length > 0 ? usual : [FIRST_METRIC];
  const isNamed = options.value === 'last' || options.value === 'best';
  const variables = {
    ...which,
    groupBy: list(options.groupBy),
    metrics: names.map((name) => ({
      name,
      at: options.value === 'best' ? ('BEST' as const) : ('LAST' as const),
      bestOf: isNamed ? null : options.value,
    })),
    orderBy: groupOrder(options.order, names),
    baseline: options.baseline ?? null,
  };
  if (!isNamed) {
    const [hint] = metricHints([options.value], await fetchUsedNames(api, options.project));
    if (hint !== undefined) throw badInput(`expected last, best or a metric: ${hint}`, '--value');
  }
  let answer = await withNamesOfFields(api, options.project, () => fetchGroups(api, variables, options.limit));
  if (options.metric === undefined && options.order === DEFAULT_ORDER) {
    // what other runs of the project have logged
    const filled = names.filter((_, metric) => answer.edges.some(({ node }) => node.metrics[metric]?.n !== 0));
    if (filled.length > 0 && filled.length < names.length) {
      names = filled;
      const metrics = variables.metrics.filter(({ name }) => filled.includes(name));
      answer = await fetchGroups(api, { ...variables, metrics }, options.limit);
    }
  }
  const groups = answer.edges.map(({ node }) => node);
  const { unlikeData } = await api.request(UnlikeDataOfGroupsDocument, { ...which, metrics: names });
  const format = options.json === true ? 'json' : options.format;
  if (format === 'json') {
    terminal.print(JSON.stringify({ ...answer, edges: undefined, unlikeData, groups }, null, 2));
    return;
  }
  if (groups.length === 0) {
    terminal.say('warren: no run matches');
    if (options.filter !== undefined) {
      for (const hint of filterHints(options.filter, await fetchUsedNames(api, options.project))) terminal.say(hint);
    }
    return;
  }
  const empty = names.filter((_, metric) => groups.every(({ metrics }) => metrics[metric]?.n === 0));
  if (empty.length > 0) {
    for (const hint of metricHints(empty, await fetchUsedNames(api, options.project))) terminal.say(`warren: ${hint}`);
  }
  const table = shownGroups(groups, answer.fields, names);
  const unlike = unlikeDataText(unlikeData);
  if (unlike !== null) {
    terminal.say(
      `warren: not comparable, for the runs differ in their data: ${unlike}; the best is that of the same data`,
    );
  }
  if (format !== 'table') {
    terminal.print(writeGroupedTable(table, format).trimEnd());
    return;
  }
  terminal.print(tableLines(table, terminal).join('\n'));
  const shown = groups.length < answer.totalCount ? `; the first ${groups.length} are shown, --limit shows more` : '';
  const counts = `${counted(answer.totalCount, 'group')} of ${counted(answer.runCount, 'run')}`;
  const summary = `${counts}${shown}; mean ± standard deviation (n), ${BEST} best`;
  terminal.say(terminal.colours.dim(summary));
}

function list(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** @throws WarrenError BAD_INPUT for what groups have no order by. */
function groupOrder(text: string, metrics: readonly string[]): ListGroupsQueryVariables['orderBy'] {
  if (text === DEFAULT_ORDER) return null;
  const { by, direction } = parseOrder(text);
  if (by === 'runs' || by === 'group') return { by, direction, metric: 0 };
  const name = /^metric\."(.*)"$/s.exec(by)?.[1] ?? by;
  const metric = metrics.indexOf(name);
  if (metric >= 0) return { by: 'mean', metric, direction };
  const known = ['runs', 'group', ...metrics].join(', ');
  throw badInput(`groups are ordered by ${known}, with or without a minus; received "${text}"`, '--order');
}

async function fetchGroups(api: ApiClient, variables: ListGroupsQueryVariables, limit: number): Promise<Groups> {
  const edges: Groups['edges'] = [];
  for (let after: string | null = null; ; ) {
    const first = Math.min(PAGE, limit - edges.length);
    const { runGroups }: ListGroupsQuery = await api.request(ListGroupsDocument, { ...variables, first, after });
    edges.push(...runGroups.edges);
    after = runGroups.pageInfo.endCursor ?? null;
    if (!runGroups.pageInfo.hasNextPage || after === null || edges.length >= limit) return { ...runGroups, edges };
  }
}

function tableLines(table: ShownGroups, terminal: CommandContext['terminal']): string[] {
  const texts = table.metrics.map((_, metric) => metricTexts(table, metric));
  const verdicts = table.tested ? ['AGAINST BASELINE'] : [];
  const columns: TableColumn[] = [
    ...table.heads.map((header) => ({ header, minimum: 8 })),
    { header: 'RUNS', align: 'right' as const },
    ...table.metrics.flatMap((header): TableColumn[] => [
      { header, align: 'right' },
      ...verdicts.map((head) => ({ header: head })),
    ]),
  ];
  const rows = table.rows.map((row, index) => [
    ...row.cells.map(printable),
    String(row.runs),
    ...row.metrics.flatMap((one, metric) => {
      const text = `${texts[metric]![index]} (${one.n})`;
      const marked = one.isBest ? `${terminal.colours.green(text)} ${BEST}` : `${text}  `;
      return [marked, ...verdicts.map(() => verdictText(one) || '-')];
    }),
  ]);
  return renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.bold });
}
