import { badInput } from '#src/base/contracts/errors.ts';
import type { SearchValue } from '#src/mlflow/store/comparisonSql.ts';
import type { ExperimentCondition, ExperimentField } from '#src/mlflow/store/experimentRecord.ts';
import {
  RUN_ATTRIBUTES,
  type TrackedCondition,
  type TrackedField,
  type TrackedOrder,
} from '#src/mlflow/store/searchTrackedRuns.ts';
import { listValue, orderClause, quotedText, type SearchClause, searchClauses } from './searchClauses.ts';

// As mlflow/utils/search_utils.py reads filters and orders.

const ENTITIES: ReadonlyMap<string, TrackedField['type']> = new Map([
  ...(['metric', 'metrics'] as const).map((name) => [name, 'metric'] as const),
  ...(['parameter', 'parameters', 'param', 'params'] as const).map((name) => [name, 'parameter'] as const),
  ...(['tag', 'tags'] as const).map((name) => [name, 'tag'] as const),
  ...(['attribute', 'attributes', 'attr', 'run'] as const).map((name) => [name, 'attribute'] as const),
  ...(['dataset', 'datasets'] as const).map((name) => [name, 'dataset'] as const),
]);
const ENTITY_NAMES = "['metric', 'parameter', 'tag', 'attribute', 'dataset']";
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['created', 'start_time'],
  ['Created', 'start_time'],
  ['run name', 'run_name'],
  ['Run name', 'run_name'],
  ['Run Name', 'run_name'],
]);
const DATASET_KEYS = ['name', 'digest', 'context'] as const;
const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];
const TEXT_COMPARISONS = ['=', '!=', 'LIKE', 'ILIKE'];
const NULL_TESTS = ['IS NULL', 'IS NOT NULL'];

function shownKeys(keys: readonly string[]): string {
  return `{${keys.map((key) => `'${key}'`).join(', ')}}`;
}

function refuseComparator({ operator }: Pick<SearchClause, 'operator'>, known: readonly string[]): void {
  if (known.includes(operator)) return;
  throw badInput(`Invalid comparator '${operator}' not one of '${shownKeys(known)}'`, 'filter');
}

function runField({ parts }: SearchClause['name']): TrackedField {
  const [head = '', rest] = parts;
  const type = rest === undefined ? 'attribute' : ENTITIES.get(head);
  const key = rest ?? head;
  if (type === undefined) {
    throw badInput(`Invalid entity type '${head}'. Valid values are ${ENTITY_NAMES}`, 'filter');
  }
  if (type === 'attribute') {
    const attribute = RUN_ATTRIBUTES.find((name) => name === (ALIASES.get(key) ?? key));
    if (attribute !== undefined) return { type, key: attribute };
    const known = shownKeys([...RUN_ATTRIBUTES, ...ALIASES.keys()]);
    throw badInput(`Invalid attribute key '${key}' specified. Valid keys are '${known}'`, 'filter');
  }
  if (type !== 'dataset') return { type, key };
  const known = DATASET_KEYS.find((name) => name === key);
  if (known !== undefined) return { type, key: known };
  throw badInput(`Invalid dataset key '${key}' specified. Valid keys are '${shownKeys(DATASET_KEYS)}'`, 'filter');
}

function runCondition(clause: SearchClause): TrackedCondition {
  const field = runField(clause.name);
  const { operator, value: token } = clause;
  const condition = (value: SearchValue): TrackedCondition => ({ field, operator, value });
  if (NULL_TESTS.includes(operator)) {
    if (field.type === 'tag' || field.type === 'parameter') return condition(null);
    const what = `not for '${field.type}' '${field.key}'`;
    throw badInput(`IS NULL / IS NOT NULL is only supported for tags and params, ${what}`, 'filter');
  }
  switch (field.type) {
    case 'metric':
      if (token?.type !== 'number') {
        throw badInput(`Expected numeric value type for metric. Found ${token?.text ?? ''}`, 'filter');
      }
      refuseComparator(clause, COMPARISONS);
      return condition(token.value);
    case 'parameter':
    case 'tag': {
      const text = quotedText(token, field.type);
      refuseComparator(clause, [...TEXT_COMPARISONS, ...NULL_TESTS]);
      return condition(text);
    }
    case 'dataset': {
      const value = token?.type === 'list' ? listValue(token) : quotedText(token, 'dataset attributes');
      refuseComparator(clause, [...TEXT_COMPARISONS, 'IN', 'NOT IN']);
      return condition(value);
    }
    case 'attribute':
      return condition(attributeValue(clause, field.key));
  }
}

function attributeValue(clause: SearchClause, key: string): SearchValue {
  const { value: token } = clause;
  if (key === 'start_time' || key === 'end_time') {
    if (token?.type !== 'number') {
      throw badInput(`Expected numeric value type for numeric attribute: ${key}. Found ${token?.text ?? ''}`, 'filter');
    }
    refuseComparator(clause, COMPARISONS);
    return token.value;
  }
  if (token?.type === 'list') {
    if (key === 'run_id') {
      refuseComparator(clause, ['IN', 'NOT IN']);
      return listValue(token);
    }
    throw badInput("Only ['run_id'] attributes support comparison with a list of quoted string values.", 'filter');
  }
  const text = quotedText(token, 'attributes');
  refuseComparator(clause, TEXT_COMPARISONS);
  return text;
}

/** What a filter over runs asks for. @throws WarrenError BAD_INPUT. */
export function runConditions(filter: string): TrackedCondition[] {
  return searchClauses(filter).map(runCondition);
}

/** How runs are to be sorted. @throws WarrenError BAD_INPUT. */
export function runOrder(orderBy: readonly string[]): TrackedOrder[] {
  const order = orderBy.map((text) => {
    const { name, ascending } = orderClause(text);
    const field = runField(name);
    if (field.type === 'dataset') throw badInput(`Invalid identifier type 'dataset'`, 'order_by');
    return { field, ascending };
  });
  const names = order.map(({ field }) => `${field.type}.${field.key}`);
  if (new Set(names).size < names.length) {
    throw badInput(
      `\`order_by\` contains duplicate fields: [${orderBy.map((text) => `'${text}'`).join(', ')}]`,
      'order_by',
    );
  }
  return order;
}

const EXPERIMENT_FIELDS = ['name', 'experiment_id', 'creation_time', 'last_update_time'] as const;

function experimentField({ parts }: SearchClause['name']): ExperimentCondition['field'] {
  const [head = '', rest] = parts;
  const key = rest ?? head;
  if (rest !== undefined && (head === 'tag' || head === 'tags')) return { type: 'tag', key };
  if (rest !== undefined && head !== 'attribute') {
    throw badInput(`Invalid entity type '${head}'. Valid entity types are ('attribute', 'tag', 'tags')`, 'filter');
  }
  const name: ExperimentField | undefined = EXPERIMENT_FIELDS.find((field) => field === key);
  if (name !== undefined) return { type: 'attribute', name };
  throw badInput(
    `Invalid attribute key '${key}' specified. Valid keys are '${shownKeys(EXPERIMENT_FIELDS)}'`,
    'filter',
  );
}

function experimentCondition(clause: SearchClause): ExperimentCondition {
  const { name, operator, value: token } = clause;
  const field = experimentField(name);
  if (field.type === 'tag') {
    if (NULL_TESTS.includes(operator)) return { field, operator, value: null };
    if (!TEXT_COMPARISONS.includes(operator)) throw badInput(`Invalid comparator for tag: ${operator}`, 'filter');
    return { field, operator, value: quotedText(token, 'tag') };
  }
  if (NULL_TESTS.includes(operator)) {
    throw badInput(`IS NULL / IS NOT NULL is only supported for tags, not for attribute '${field.name}'`, 'filter');
  }
  if (field.name === 'experiment_id') {
    if (!['=', '!=', 'IN', 'NOT IN'].includes(operator)) {
      throw badInput(`Invalid comparator for experiment_id: ${operator}`, 'filter');
    }
    const texts = token?.type === 'list' ? listValue(token) : [quotedText(token, 'attributes')];
    return { field, operator, value: texts.map(experimentIdValue) };
  }
  if (field.name === 'name') {
    if (token?.type === 'list') {
      const listed = "Only ['experiment_id'] attributes support comparison with a list of quoted string values.";
      throw badInput(listed, 'filter');
    }
    refuseComparator(clause, TEXT_COMPARISONS);
    return { field, operator, value: quotedText(token, 'attributes') };
  }
  if (token?.type !== 'number') {
    const found = `Found ${token?.text ?? ''}`;
    throw badInput(`Expected numeric value type for numeric attribute: ${field.name}. ${found}`, 'filter');
  }
  if (!COMPARISONS.includes(operator))
    throw badInput(`Invalid comparator for numeric attribute: ${operator}`, 'filter');
  if (!Number.isInteger(token.value)) {
    throw badInput(`Invalid value for numeric attribute '${field.name}': '${token.text}'`, 'filter');
  }
  return { field, operator, value: token.value };
}

function experimentIdValue(text: string): number {
  if (/^\s*[+-]?\d+\s*$/.test(text)) return Number(text);
  throw badInput(`Invalid experiment ID '${text}'. Experiment ID must be a valid integer.`, 'filter');
}

/** What a filter over experiments asks for. @throws WarrenError BAD_INPUT. */
export function experimentConditions(filter: string): ExperimentCondition[] {
  return searchClauses(filter, 'plain').map(experimentCondition);
}

/** How experiments are to be sorted; the newest first unless given. @throws WarrenError BAD_INPUT. */
export function experimentOrder(orderBy: readonly string[]): { field: ExperimentField; ascending: boolean }[] {
  const texts = orderBy.length === 0 ? ['creation_time DESC', 'experiment_id ASC'] : orderBy;
  return texts.map((text) => {
    const { name, ascending } = orderClause(text);
    const field = experimentField(name);
    if (field.type === 'tag') throw badInput('Invalid order_by entity: tag', 'order_by');
    return { field: field.name, ascending };
  });
}
