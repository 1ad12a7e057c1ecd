import { badInput } from '#src/base/contracts/errors.ts';
import { filterHints, metricHints } from '#src/base/contracts/runFilter/filterHints.ts';
import {
  ListGroupsDocument,
  type ListGroupsQuery,
  type ListGroupsQueryVariables,
  UnlikeDataOfGroupsDocument,
  type UnlikeDataOfGroupsQuery,
} from '#src/generated/api.ts';
import { valueChoice } from '#src/base/lib/valueRules.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { parseOrder } from './runOrder.ts';
import { fetchUsedNames, metricsToShow, withNamesOfFields } from './usedNames.ts';

export interface GroupQuestion {
  filter?: string | undefined;
  project?: string | undefined;
  order: string;
  limit: number;
  trash?: boolean | undefined;
  groupBy: string;
  /** Left out: what recommenders are looked at by, or what the runs have. */
  metric?: string | undefined;
  /** `last`, `best`, or a metric at whose best step the values are. */
  value: string;
  baseline?: string | undefined;
}

type Answer = ListGroupsQuery['runGroups'];

export interface FoundGroups {
  answer: Answer;
  groups: Answer['edges'][number]['node'][];
  /** Names of the metrics, in the order of those of each group. */
  metrics: string[];
  unlikeData: UnlikeDataOfGroupsQuery['unlikeData'];
}

const PAGE = 200;
/** The order of `warren ls` where none is asked for. */
const DEFAULT_ORDER = '-number';
const FIRST_METRIC = 'test/ndcg@10';

/** All matching runs in groups that share what was asked for, with their metrics summed up. @throws WarrenError BAD_INPUT that says what was meant. */
export async function readGroups(api: ApiClient, options: GroupQuestion): Promise<FoundGroups> {
  const which = { project: options.project ?? null, filter: options.filter ?? null, inTrash: options.trash === true };
  const usual =
    options.metric === undefined ? await withNamesOfFields(api, options.project, () => metricsToShow(api, which)) : [];
  let names = options.metric !== undefined ? list(options.metric) : usual.length > 0 ? usual : [FIRST_METRIC];
  const isNamed = options.value === 'last' || options.value === 'best';
  const variables = {
    ...which,
    groupBy: list(options.groupBy),
    metrics: names.map((name) => ({ name, ...valueChoice(options.value) })),
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
  return { answer, groups, metrics: names, unlikeData };
}

/** Names in the question that no run has, and what may be meant. */
export async function groupHints(
  api: ApiClient,
  { filter, project }: GroupQuestion,
  { groups, metrics }: FoundGroups,
): Promise<string[]> {
  if (groups.length === 0) return filter === undefined ? [] : filterHints(filter, await fetchUsedNames(api, project));
  const empty = metrics.filter((_, index) => groups.every((group) => group.metrics[index]?.n === 0));
  return empty.length === 0 ? [] : metricHints(empty, await fetchUsedNames(api, project));
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

async function fetchGroups(api: ApiClient, variables: ListGroupsQueryVariables, limit: number): Promise<Answer> {
  const edges: Answer['edges'] = [];
  for (let after: string | null = null; ; ) {
    const first = Math.min(PAGE, limit - edges.length);
    const { runGroups }: ListGroupsQuery = await api.request(ListGroupsDocument, { ...variables, first, after });
    edges.push(...runGroups.edges);
    after = runGroups.pageInfo.endCursor ?? null;
    if (!runGroups.pageInfo.hasNextPage || after === null || edges.length >= limit) return { ...runGroups, edges };
  }
}
