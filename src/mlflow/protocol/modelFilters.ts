import { badInput } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { MODEL_ATTRIBUTES, type ModelField, type ModelSearch } from '#src/mlflow/store/loggedModel.ts';
import { quotedText, type SearchClause, searchClauses } from './searchClauses.ts';

const TEXT_COMPARISONS = ['=', '!=', 'LIKE', 'ILIKE'];
const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['creation_time', 'creation_timestamp'],
  ['last_updated_time', 'last_updated_timestamp'],
]);

function fieldOf(head: string, rest: string | undefined): ModelField {
  const key = rest ?? head;
  if (rest !== undefined && /^tags?$/.test(head)) return { type: 'tag', key };
  if (rest !== undefined && /^param(?:s|eter|eters)?$/.test(head)) return { type: 'parameter', key };
  if (rest !== undefined && /^metrics?$/.test(head)) {
    throw badInput('Warren keeps metrics with their run: search runs by them, not logged models', 'filter');
  }
  const isAttribute = rest === undefined || /^attr(?:ibutes?)?$/.test(head);
  const known = MODEL_ATTRIBUTES.find((name) => name === (ALIASES.get(key) ?? key));
  if (isAttribute && known !== undefined) return { type: 'attribute', key: known };
  const keys = MODEL_ATTRIBUTES.map((name) => `'${name}'`).join(', ');
  throw badInput(`Invalid attribute key '${key}' specified. Valid keys are '{${keys}}'`, 'filter');
}

function isTime(field: ModelField): boolean {
  return field.type === 'attribute' && field.key.endsWith('_timestamp');
}

function conditionOf({ name, operator, value }: SearchClause): ModelSearch['conditions'][number] {
  const [head = '', rest] = name.parts;
  const field = fieldOf(head, rest);
  const known = isTime(field) ? COMPARISONS : TEXT_COMPARISONS;
  if (!known.includes(operator)) throw badInput(`Invalid comparator for ${name.text}: ${operator}`, 'filter');
  if (!isTime(field)) return { field, operator, value: quotedText(value, 'attributes') };
  if (value?.type === 'number') return { field, operator, value: value.value };
  throw badInput(
    `Expected numeric value type for numeric attribute: ${name.text}. Found ${value?.text ?? ''}`,
    'filter',
  );
}

/** What a filter over logged models asks for. @throws WarrenError BAD_INPUT. */
export function modelConditions(filter: string): ModelSearch['conditions'] {
  return searchClauses(filter).map(conditionOf);
}

const MOST_ORDERS = 20;

/** How logged models are to be sorted. @throws WarrenError BAD_INPUT. */
export function modelOrder(list: readonly unknown[]): ModelSearch['order'] {
  if (list.length > MOST_ORDERS)
    throw badInput(`${list.length} entries in order_by; at most ${MOST_ORDERS}`, 'order_by');
  return list.map((item) => {
    const { field_name: name, ascending } = isPlainObject(item) ? item : {};
    if (typeof name !== 'string') {
      throw badInput('`field_name` in the `order_by` clause must be specified.', 'order_by');
    }
    const dot = name.indexOf('.');
    const field = dot < 0 ? fieldOf(name, undefined) : fieldOf(name.slice(0, dot), name.slice(dot + 1));
    return { field, ascending: ascending !== false };
  });
}
