import { badInput } from '#src/base/contracts/errors.ts';
import type { SearchValue } from '#src/mlflow/store/comparisonSql.ts';
import type {
  RegistryCondition,
  RegistryField,
  RegistryOrder,
  RegistrySearch,
} from '#src/mlflow/store/searchRegistry.ts';
import { listValue, orderClause, quotedText, type SearchClause, searchClauses } from './searchClauses.ts';

// As SearchModelUtils and SearchModelVersionUtils of mlflow/utils/search_utils.py read filters and orders.

const MODEL_KEYS = ['name'] as const;
const VERSION_KEYS = ['name', 'version_number', 'run_id', 'source_path'] as const;
const ORDER_KEYS = ['name', 'version_number', 'creation_timestamp', 'last_updated_timestamp'] as const;
const TEXT_COMPARISONS = ['=', '!=', 'LIKE', 'ILIKE'];
const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];
const LISTED_KEYS = ['name', 'run_id'];
const PROMPT_TAG = 'mlflow.prompt.is_prompt';

/** What is searched: registered models, or their versions. */
export type RegistryKind = 'model' | 'version';

function shown(keys: readonly string[]): string {
  return `{${keys.map((key) => `'${key}'`).join(', ')}}`;
}

function fieldOf({ parts }: SearchClause['name'], keys: readonly string[]): RegistryField {
  const [head = '', rest] = parts;
  const key = rest ?? head;
  if (rest !== undefined && (head === 'tag' || head === 'tags')) return { type: 'tag', key };
  if (rest !== undefined && head !== 'attribute') {
    throw badInput(`Invalid entity type '${head}'. Valid entity types are ('attribute', 'tag', 'tags')`, 'filter');
  }
  const known = VERSION_KEYS.find((one) => one === key && keys.includes(one));
  if (known !== undefined) return { type: 'attribute', key: known };
  throw badInput(`Invalid attribute key '${key}' specified. Valid keys are '${shown(keys)}'`, 'filter');
}

function attributeValue({ operator, value: token }: SearchClause, key: string, kind: RegistryKind): SearchValue {
  if (token?.type === 'list') {
    const listed = kind === 'model' ? ['name'] : LISTED_KEYS;
    if (!listed.includes(key)) {
      const list = listed.map((one) => `'${one}'`).join(', ');
      throw badInput(`Only [${list}] attributes support comparison with a list of quoted string values.`, 'filter');
    }
    const values = listValue(token);
    if (operator !== 'IN' && operator !== 'NOT IN')
      throw badInput(`Invalid comparator for attribute: ${operator}`, 'filter');
    return values;
  }
  if (key === 'version_number') {
    if (!COMPARISONS.includes(operator)) {
      throw badInput(`Invalid comparator for attribute ${key}: ${operator}`, 'filter');
    }
    const number = token?.type === 'number' ? token.value : Number(quotedText(token, 'attributes'));
    if (Number.isInteger(number)) return number;
    throw badInput(`Invalid value for numeric attribute '${key}': ${token?.text ?? ''}`, 'filter');
  }
  if (token?.type !== 'text' && token?.type !== 'name') {
    const got = `Got value ${token?.text ?? ''}`;
    throw badInput(`Expected a quoted string value or a list of quoted string values for attributes. ${got}`, 'filter');
  }
  const text = quotedText(token, 'attributes');
  if (!TEXT_COMPARISONS.includes(operator)) throw badInput(`Invalid comparator for attribute: ${operator}`, 'filter');
  return text;
}

function conditionOf(clause: SearchClause, kind: RegistryKind): RegistryCondition {
  const { name, operator, value } = clause;
  const field = fieldOf(name, kind === 'model' ? MODEL_KEYS : VERSION_KEYS);
  if (operator === 'IS NULL' || operator === 'IS NOT NULL') {
    throw badInput(`Invalid clause(s) in filter string: ${name.text} ${operator}`, 'filter');
  }
  if (field.type === 'attribute') return { field, operator, value: attributeValue(clause, field.key, kind) };
  const text = quotedText(value, 'tag');
  if (!TEXT_COMPARISONS.includes(operator)) throw badInput(`Invalid comparator for tag: ${operator}`, 'filter');
  return { field, operator, value: text };
}

/** Prompts are found only by a filter that asks for them; other filters on that tag say nothing. */
function asksForPrompts({ field, operator, value }: RegistryCondition): boolean {
  if (field.type !== 'tag' || field.key !== PROMPT_TAG || typeof value !== 'string') return false;
  return operator === '=' ? value.toLowerCase() === 'true' : operator === '!=' && value.toLowerCase() === 'false';
}

/** What a filter over registered models or versions asks for. @throws WarrenError BAD_INPUT. */
export function registryConditions(
  filter: string,
  kind: RegistryKind,
): Pick<RegistrySearch, 'conditions' | 'withoutPrompts'> {
  const conditions = searchClauses(filter, 'plain').map((clause) => conditionOf(clause, kind));
  if (conditions.some(asksForPrompts)) return { conditions, withoutPrompts: false };
  const others = conditions.filter(({ field }) => field.type !== 'tag' || field.key !== PROMPT_TAG);
  return { conditions: others, withoutPrompts: true };
}

/** How registered models or versions are to be sorted. @throws WarrenError BAD_INPUT. */
export function registryOrder(orderBy: readonly string[], kind: RegistryKind): RegistryOrder[] {
  const keys = ORDER_KEYS.filter((key) => kind === 'version' || key !== 'version_number');
  const order = orderBy.map((text) => {
    const { name, ascending } = orderClause(text);
    const [head = '', rest] = name.parts;
    const given = rest !== undefined && head === 'attribute' ? rest : name.text;
    // an older name of the same
    const key = given === 'timestamp' && kind === 'model' ? 'last_updated_timestamp' : given;
    const field = keys.find((one) => one === key);
    if (field !== undefined) return { field, ascending };
    throw badInput(`Invalid order by key '${name.text}' specified. Valid keys are '${shown(keys)}'`, 'order_by');
  });
  if (new Set(order.map(({ field }) => field)).size < order.length) {
    const list = orderBy.map((text) => `'${text}'`).join(', ');
    throw badInput(`\`order_by\` contains duplicate fields: [${list}]`, 'order_by');
  }
  return order;
}
