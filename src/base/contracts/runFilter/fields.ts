import { didYouMean } from '#src/base/lib/nearNames.ts';
import { WarrenError } from '../errors.ts';
import { filterError, type Place } from './filterError.ts';
import { type MetricField, NUMBER_FIELDS, type RunField, TEXT_FIELDS, TIME_FIELDS } from './syntax.ts';
import { tokenize } from './tokens.ts';

/** Fields, as filters write them, that a name may stand for which is no field: `config.optimizer.lr` for `lr`. */
export type FieldsNamed = (name: string) => readonly string[];

/** Which way a metric is better; null when nobody knows. */
export type DirectionOf = (metric: string) => 'higher' | 'lower' | null;

const GROUPS = ['metric', 'best', 'min', 'max', 'config', 'text', 'env'] as const;
const EXAMPLES: Readonly<Record<string, string>> = {
  config: 'config.sigmaW',
  env: 'env.node',
  text: 'text.phase',
};
const MOST_MEANT = 6;
const PLAIN: readonly string[] = [...TEXT_FIELDS, ...NUMBER_FIELDS, ...TIME_FIELDS, 'state', 'tag'];
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['status', 'state'],
  ['tags', 'tag'],
  ['note', 'notes'],
  ['parameters', 'config'],
  ['parameter', 'config'],
  ['metrics', 'metric'],
  ['environment', 'env'],
  ['texts', 'text'],
]);

/** Words, in lower case, by which a field of the filter language begins. */
export function fieldHeads(): ReadonlySet<string> {
  return new Set([...PLAIN.map((name) => name.toLowerCase()), ...GROUPS, ...ALIASES.keys()]);
}

/**
 * The field that a dotted name stands for: `kind`, `metric."test/ndcg@10"`, `best.valid/mrr`, `config.sigmaW`,
 * `config.dataset.core`, `text.phase`, `env.node`.
 * @param fieldsNamed For names without a field before them, such as `dim`: taken where they stand for one field alone.
 * @throws WarrenError BAD_INPUT that says what there is, or what may have been meant.
 */
export function resolveField(
  segments: readonly string[],
  place: Place,
  directionOf: DirectionOf,
  fieldsNamed?: FieldsNamed,
): RunField {
  const given = segments[0] ?? '';
  const head = canonicalHead(given);
  const rest = segments.slice(1);
  if ((GROUPS as readonly string[]).includes(head)) {
    if (rest.length === 0 || rest.some((segment) => segment === '')) {
      const example = EXAMPLES[head] ?? `${head}."test/ndcg@10"`;
      throw filterError(place, `expected a name after "${given}.", as in ${example}`);
    }
    if (head === 'env') return { type: 'json', root: 'environment', path: rest };
    if (head === 'text') return { type: 'loggedText', name: rest.join('.') };
    return head === 'config' ? configField(rest) : metricField(head, rest.join('.'), place, directionOf);
  }
  if (rest.length > 0 && PLAIN.includes(head)) {
    throw filterError(place, `"${head}" has no parts; write just ${head}, or config.${segments.join('.')}`);
  }
  const plain = plainField(head);
  if (plain !== null) return plain;
  const meant = fieldsNamed?.(segments.join('.')) ?? [];
  if (meant.length === 1) return parsedField(meant[0]!, place, directionOf);
  if (meant.length > 1) {
    const shown = `${meant.slice(0, MOST_MEANT).join(', ')}${meant.length > MOST_MEANT ? ', …' : ''}`;
    throw filterError(place, `"${segments.join('.')}" may be ${shown}: write one of them`);
  }
  const hint = didYouMean(given, [...PLAIN, ...GROUPS, ...ALIASES.keys()]);
  const known = `${PLAIN.join(', ')}, metric.NAME, best.NAME, min.NAME, max.NAME, config.PATH, text.NAME or env.PATH`;
  const name = segments.join('.');
  const parameter = /^[\w.]+$/.test(name) ? ` A parameter is config.${name}, a metric metric.${name}.` : '';
  throw filterError(place, `there is no field "${given}".${hint || `${parameter} Expected ${known}.`}`);
}

/** Whether an error says that there is no such field, so that names of the runs may tell what was meant. */
export function isUnknownField(error: unknown): boolean {
  return error instanceof WarrenError && error.message.includes('there is no field "');
}

function parsedField(text: string, place: Place, directionOf: DirectionOf): RunField {
  const [token] = tokenize(text, place.path);
  return resolveField(token?.type === 'word' ? token.segments : [text], place, directionOf);
}

function canonicalHead(given: string): string {
  const lower = given.toLowerCase();
  const exact = PLAIN.find((name) => name.toLowerCase() === lower.replaceAll('_', ''));
  return exact ?? ALIASES.get(lower) ?? lower;
}

function plainField(name: string): RunField | null {
  if (name === 'state') return { type: 'state' };
  if (name === 'tag') return { type: 'tag' };
  const text = TEXT_FIELDS.find((field) => field === name);
  if (text !== undefined) return { type: 'text', name: text };
  const number = NUMBER_FIELDS.find((field) => field === name);
  if (number !== undefined) return { type: 'number', name: number };
  const time = TIME_FIELDS.find((field) => field === name);
  return time === undefined ? null : { type: 'time', name: time };
}

function configField(path: readonly string[]): RunField {
  return { type: 'json', ...configurationPath(path) };
}

/** Where in a configuration a path after `config.` leads: into the dataset selection or, with or without its name, the parameters. */
export function configurationPath(path: readonly string[]): {
  root: 'dataset' | 'parameters';
  path: readonly string[];
} {
  const [head = '', ...rest] = path;
  if (head === 'dataset') return { root: 'dataset', path: rest.length === 0 ? ['name'] : rest };
  return { root: 'parameters', path: head === 'parameters' && rest.length > 0 ? rest : path };
}

function metricField(head: string, name: string, place: Place, directionOf: DirectionOf): MetricField {
  const field = (summary: MetricField['summary']): MetricField => ({ type: 'metric', summary, name });
  if (head === 'metric') return field('last');
  if (head === 'min') return field('minimum');
  if (head === 'max') return field('maximum');
  const direction = directionOf(name);
  if (direction === null) {
    throw filterError(
      place,
      `nobody told whether "${name}" is better high or low; write max."${name}" or min."${name}"`,
    );
  }
  return field(direction === 'higher' ? 'maximum' : 'minimum');
}

/** The keys under which a path may be found: as written, and with snake_case segments in camelCase. */
export function pathVariants(path: readonly string[]): (readonly string[])[] {
  const camel = path.map((segment) =>
    segment.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
  return camel.every((segment, index) => segment === path[index]) ? [path] : [path, camel];
}
