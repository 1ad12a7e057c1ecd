import { WarrenError } from '#src/contracts/errors.ts';
import { pathVariants } from '#src/contracts/runFilter/fields.ts';
import { parseRunFilter } from '#src/contracts/runFilter/parse.ts';
import type { Condition, RunFilter } from '#src/contracts/runFilter/syntax.ts';
import {
  ListRunsDocument,
  type ListRunsQueryVariables,
  UsedNamesDocument,
  type UsedNamesQuery,
} from '#src/generated/api.ts';
import { didYouMean, meantOrThere, nearNames, oneOf } from '#src/lib/nearNames.ts';
import { compareHeadlines } from '#src/lib/headlineMetrics.ts';
import { singleLine } from '#src/lib/printable.ts';
import type { ApiClient } from '../apiClient.ts';

/** What the runs of a project, or all, have. */
export type UsedNames = UsedNamesQuery['runColumns'];

/** Metrics of recommenders that are looked at first. */
export const PRIMARY_METRICS = ['test/ndcg@10', 'test/mrr@10', 'test/hr@10'];
const MOST_SHOWN = 2;

export async function fetchUsedNames(api: ApiClient, project: string | undefined): Promise<UsedNames> {
  return (await api.request(UsedNamesDocument, { project: project ?? null })).runColumns;
}

/** So many runs tell which metrics those that match have. */
const SAMPLED_RUNS = 10;

/** The metrics to show of runs that match where nobody said which: of the first of them, or of all in their project. */
export async function metricsToShow(
  api: ApiClient,
  which: Pick<ListRunsQueryVariables, 'project' | 'filter' | 'orderBy' | 'inTrash'>,
): Promise<string[]> {
  if (which.filter == null) return usualMetrics((await fetchUsedNames(api, which.project ?? undefined)).metrics);
  const { runs } = await api.request(ListRunsDocument, { ...which, names: null, first: SAMPLED_RUNS });
  const names = runs.edges.flatMap(({ node }) => node.metrics.map(({ name }) => name));
  return usualMetrics([...new Set(names)].sort());
}

/** The metrics to show where nobody said which; none where there are none. */
export function usualMetrics(metrics: readonly string[]): string[] {
  const primary = PRIMARY_METRICS.filter((name) => metrics.includes(name));
  if (primary.length > 0) return primary.slice(0, 1);
  const own = metrics.filter((name) => !/^(?:system|time)\b/.test(name));
  return own.sort(compareHeadlines(null)).slice(0, MOST_SHOWN);
}

/** What is wrong with names of metrics; empty where runs have them. */
export function metricHints(names: readonly string[], { metrics }: Pick<UsedNames, 'metrics'>): string[] {
  return names
    .filter((name) => !metrics.includes(name))
    .map((name) => {
      const near = didYouMean(name, metrics) || among(usualMetrics(metrics));
      return singleLine(`no run has a metric "${name}".${near}`);
    });
}

function among(metrics: readonly string[]): string {
  return metrics.length === 0 ? '' : ` There are ${metrics.join(', ')} and more.`;
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
    const hint = field === undefined ? null : fieldHint(field, await fetchUsedNames(api, project));
    throw hint === null
      ? error
      : new WarrenError(error.code, `${error.message}\n${hint}`, { path: error.path ?? 'filter' });
  }
}

/** The metric or parameter that is meant by a word which filters do not know as a field; null where no run has one like it. */
export function fieldHint(field: string, used: Pick<UsedNames, 'metrics' | 'configuration' | 'texts'>): string | null {
  const parameters = used.configuration.map((path) => path.replace(/^parameters\./, ''));
  if (used.metrics.includes(field)) return `Runs have a metric "${field}": write metric.${field}`;
  if (parameters.includes(field)) return `Runs have a parameter "${field}": write config.${field}`;
  if (used.texts.includes(field)) return `Runs have a text "${field}": write text.${field}`;
  const near = [
    ...nearNames(field, used.metrics).map((name) => `metric.${/^[\w./@-]+$/.test(name) ? name : JSON.stringify(name)}`),
    ...nearNames(field, parameters).map((name) => `config.${name}`),
    ...nearNames(field, used.texts).map((name) => `text.${name}`),
  ];
  return oneOf(near.slice(0, 3)).trim() || null;
}

/** Why nothing may match a filter: names and values that no run has, and dates that mean another time than they seem to. */
export function filterHints(filter: string, used: UsedNames): string[] {
  const parsed = parseRunFilter(filter, () => 'higher');
  return parsed === null ? [] : [...new Set(conditionsOf(parsed).flatMap((condition) => hintsOf(condition, used)))];
}

function conditionsOf(filter: RunFilter): Condition[] {
  if (filter.type === 'not') return conditionsOf(filter.operand);
  return filter.type === 'and' || filter.type === 'or' ? filter.operands.flatMap(conditionsOf) : [filter];
}

function hintsOf(condition: Condition, used: UsedNames): string[] {
  const { field } = condition;
  if (field.type === 'metric') return metricHints([field.name], used);
  if (field.type === 'loggedText') return used.texts.includes(field.name) ? [] : [textHint(field.name, used.texts)];
  if (field.type === 'json' && field.root !== 'environment') {
    const paths = pathVariants(field.path).map((path) => `${field.root}.${path.join('.')}`);
    return paths.some((path) => hasPath(used.configuration, path))
      ? []
      : [pathHint(paths[0] ?? '', used.configuration)];
  }
  if (condition.type === 'compareTime') return timeHints(condition);
  if (field.type !== 'text' && field.type !== 'tag') return [];
  const name = field.type === 'tag' ? 'tag' : field.name;
  const known = name === 'tag' ? used.tags : name === 'kind' ? used.kinds : name === 'dataset' ? used.datasets : null;
  if (known === null) return [];
  const given = condition.type === 'compareText' ? [condition.value] : 'values' in condition ? condition.values : [];
  return given
    .map(String)
    .filter((value) => !known.includes(value))
    .map((value) => `no run has the ${name} "${value}".${didYouMean(value, known)}`);
}

function textHint(name: string, texts: readonly string[]): string {
  return singleLine(`no run has logged a text "${name}".${meantOrThere(name, texts)}`);
}

function hasPath(known: readonly string[], path: string): boolean {
  return known.some((name) => name === path || name.startsWith(`${path}.`));
}

function pathHint(path: string, known: readonly string[]): string {
  const short = (name: string) => name.replace(/^parameters\./, '');
  const near = nearNames(short(path), known.map(short)).map((name) => `config.${name}`);
  return `no run has config.${short(path)}.${oneOf(near)}`;
}

function timeHints({ field, operator, value }: Extract<Condition, { type: 'compareTime' }>): string[] {
  const { relative, start, end } = value;
  if (relative || operator !== '>' || end - start <= 1) return [];
  const day = new Date(start).toISOString().slice(0, 10);
  return [
    `"${field.name} > ${day}" is after the end of that day, which is meant in UTC: ">= ${day}" takes the day itself, too`,
  ];
}
