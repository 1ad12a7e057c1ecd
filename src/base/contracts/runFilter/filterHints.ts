import { compareHeadlines } from '#src/base/lib/headlineMetrics.ts';
import { valueText } from '#src/base/lib/labels.ts';
import { didYouMean, meantOrThere, nearNames, oneOf, thereAre } from '#src/base/lib/nearNames.ts';
import { singleLine } from '#src/base/lib/printable.ts';
import { pathVariants } from './fields.ts';
import { fieldsNamed, meantFields } from './meantFields.ts';
import { parseRunFilter } from './parse.ts';
import type { Condition, RunField, RunFilter } from './syntax.ts';

/** Names and values that runs have, each list by name. */
export interface UsedNames {
  metrics: readonly string[];
  /** Paths such as `parameters.learningRate`. */
  configuration: readonly string[];
  kinds: readonly string[];
  /** Kinds that may be queued, whether or not runs have them. */
  knownKinds?: readonly string[];
  datasets: readonly string[];
  tags: readonly string[];
  /** Of logged texts. */
  texts: readonly string[];
  /** Who made runs; not known unless given. */
  users?: readonly string[];
  /** Not known unless given. */
  projects?: readonly string[];
  /** The values that configurations have at a path of `configuration`, as texts; not known unless given. */
  valuesOf?: (path: string) => readonly string[];
}

/** Metrics of recommenders that are looked at first. */
export const PRIMARY_METRICS = ['test/ndcg@10', 'test/mrr@10', 'test/hr@10'];
const MOST_SHOWN = 2;
/** Of longer values only the beginning is known. */
const LONGEST_VALUE = 199;

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

/** The metric or parameter that is meant by a word which filters do not know as a field; null where no run has one like it. */
export function fieldHint(field: string, used: Pick<UsedNames, 'metrics' | 'configuration' | 'texts'>): string | null {
  const parameters = used.configuration.map((path) => path.replace(/^parameters\./, ''));
  if (used.metrics.includes(field)) return `Runs have a metric "${field}": write metric.${field}`;
  if (parameters.includes(field)) return `Runs have a parameter "${field}": write config.${field}`;
  if (used.texts.includes(field)) return `Runs have a text "${field}": write text.${field}`;
  return oneOf(meantFields(field, used)).trim() || null;
}

/** Why nothing may match a filter: names and values that no run has, and dates that mean another time than they seem to. */
export function filterHints(filter: string, used: UsedNames): string[] {
  const parsed = parseRunFilter(filter, () => 'higher', fieldsNamed(used));
  return parsed === null ? [] : [...new Set(conditionsOf(parsed).flatMap((condition) => hintsOf(condition, used)))];
}

/** Names of the fields of texts that a filter has conditions on. */
export function textFieldsOf(filter: string): ReadonlySet<string> {
  // a name of the runs without a field before it is none of them
  const parsed = parseRunFilter(
    filter,
    () => 'higher',
    (name) => [`text.${name}`],
  );
  const fields = parsed === null ? [] : conditionsOf(parsed).map(({ field }) => field);
  return new Set(fields.flatMap((field) => (field.type === 'text' ? [field.name] : [])));
}

function conditionsOf(filter: RunFilter): Condition[] {
  if (filter.type === 'not') return conditionsOf(filter.operand);
  return filter.type === 'and' || filter.type === 'or' ? filter.operands.flatMap(conditionsOf) : [filter];
}

/** What is wrong with a metric, a parameter or a text that no run has; empty where runs have it, and for other fields. */
export function fieldHints(field: RunField, used: Pick<UsedNames, 'metrics' | 'configuration' | 'texts'>): string[] {
  if (field.type === 'metric') return metricHints([field.name], used);
  if (field.type === 'loggedText') return used.texts.includes(field.name) ? [] : [textHint(field.name, used.texts)];
  if (field.type !== 'json' || field.root === 'environment') return [];
  const paths = pathVariants(field.path).map((path) => `${field.root}.${path.join('.')}`);
  const isKnown = paths.some((path) => hasPath(used.configuration, path));
  return isKnown ? [] : [pathHint(paths[0] ?? '', used.configuration)];
}

function hintsOf(condition: Condition, used: UsedNames): string[] {
  const { field } = condition;
  const ofField = fieldHints(field, used);
  if (ofField.length > 0) return ofField;
  if (condition.type === 'compareTime') return timeHints(condition);
  if (condition.type === 'compareJson' || condition.type === 'inJson') return valueHints(condition, used);
  if (field.type !== 'text' && field.type !== 'tag') return [];
  const name = field.type === 'tag' ? 'tag' : field.name;
  const known = valuesByField(used)[name];
  if (known === undefined) return [];
  const given = condition.type === 'compareText' ? [condition.value] : 'values' in condition ? condition.values : [];
  return given
    .map(String)
    .filter((value) => !known.includes(value))
    .map((value) => {
      const near = didYouMean(value, known) || (name === 'kind' ? withoutRuns(value, used) : '') || thereAre(known);
      return singleLine(`no run has the ${name} "${value}".${near}`);
    });
}

function valuesByField({ tags, kinds, datasets, users, projects }: UsedNames) {
  const known: Readonly<Record<string, readonly string[] | undefined>> = {
    ...{ tag: tags, kind: kinds, dataset: datasets },
    ...{ user: users, project: projects },
  };
  return known;
}

/** What is wrong with values of a parameter that no run has there. */
function valueHints(
  condition: Extract<Condition, { type: 'compareJson' | 'inJson' }>,
  { configuration, valuesOf }: UsedNames,
): string[] {
  const { field } = condition;
  if (valuesOf === undefined || field.root === 'environment') return [];
  const isAsked = condition.type === 'compareJson' ? condition.operator === '=' : !condition.negated;
  const paths = pathVariants(field.path).map((path) => `${field.root}.${path.join('.')}`);
  const path = paths.find((one) => configuration.includes(one));
  // a group of parameters has no value of its own
  if (!isAsked || path === undefined) return [];
  const known = valuesOf(path);
  const given = condition.type === 'compareJson' ? [condition.value] : condition.values;
  return given.flatMap((value) => {
    const text = valueText(value);
    if (known.length === 0 || known.includes(text) || text.length > LONGEST_VALUE) return [];
    // a number is not mistyped for another
    const hint = typeof value === 'string' ? meantOrThere(text, known) : thereAre(known);
    return [singleLine(`no run has config.${path.replace(/^parameters\./, '')} = ${text}.${hint}`)];
  });
}

/** A kind that is known but has no runs. */
function withoutRuns(value: string, { knownKinds = [] }: UsedNames): string {
  const [near] = nearNames(value, knownKinds, 1);
  return near === undefined || near === value ? '' : ` There is a kind "${near}", of which there are no runs, either.`;
}

function textHint(name: string, texts: readonly string[]): string {
  return singleLine(`no run has logged a text "${name}".${meantOrThere(name, texts)}`);
}

function hasPath(known: readonly string[], path: string): boolean {
  return known.some((name) => name === path || name.startsWith(`${path}.`));
}

function pathHint(path: string, known: readonly string[]): string {
  const short = (name: string) => name.replace(/^parameters\./, '');
  if (path === 'parameters.seed') return 'no run has config.seed. The seed is a field of its own: write seed';
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
