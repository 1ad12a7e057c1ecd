import { badInput } from '#src/base/contracts/errors.ts';
import { SEARCH_OPERATORS, type SearchOperator } from '#src/mlflow/store/comparisonSql.ts';

/** A piece of a filter or an order in MLflow's search language. */
type SearchToken =
  /** `metrics.loss`, `` params.`my key` ``, `start_time`: quoted parts without their quotes. */
  | { type: 'name'; text: string; parts: readonly string[] }
  | { type: 'text'; text: string; value: string }
  | { type: 'number'; text: string; value: number }
  | { type: 'operator'; text: string }
  | { type: 'word'; text: string }
  | { type: 'list'; text: string; values: readonly string[] | null };

const WORDS = new Set(['AND', 'OR', 'NOT', 'IN', 'IS', 'NULL', 'LIKE', 'ILIKE', 'ASC', 'DESC', 'BETWEEN']);
const PATTERNS = {
  blank: /\s+/y,
  operator: /<=|>=|!=|<>|==|=|<|>/y,
  number: /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y,
  // a quoted text, unless a dot stands behind it
  text: /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"(?!\.)/y,
  name: /(?:`[^`]*`|"[^"]*"|[^\s=<>!()'"`,.]+)(?:\.(?:`[^`]*`|"[^"]*"|'[^']*'|[^\s=<>!()'"`,]+))?/y,
  list: /\([^)]*\)/y,
} as const;

function unquoted(part: string): string {
  return /^(?:`.*`|".*"|'.*')$/s.test(part) ? part.slice(1, -1) : part;
}

function listOf(text: string): string[] | null {
  const items = [...text.matchAll(/\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*(,|$)/gy)];
  const read = items.map(([whole]) => whole).join('');
  if (items.length === 0 || read.length !== text.length) return null;
  return items.map(([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1'));
}

function tokenOf(kind: keyof typeof PATTERNS, text: string): SearchToken {
  switch (kind) {
    case 'operator':
      return { type: 'operator', text };
    case 'number':
      return { type: 'number', text, value: Number(text) };
    case 'text':
      return { type: 'text', text, value: unquoted(text) };
    case 'list':
      return { type: 'list', text, values: listOf(text.slice(1, -1)) };
    default: {
      if (WORDS.has(text.toUpperCase())) return { type: 'word', text };
      const dot = /^(?:`[^`]*`|"[^"]*"|[^.]*)/.exec(text)?.[0].length ?? text.length;
      const parts = dot < text.length ? [text.slice(0, dot), text.slice(dot + 1)] : [text];
      return { type: 'name', text, parts: parts.map(unquoted) };
    }
  }
}

/** Characters that a filter or an order may have. */
const LONGEST = 100_000;

/** @throws WarrenError BAD_INPUT at what no token begins with, and for very long ones. */
function searchTokens(filter: string): SearchToken[] {
  if (filter.length > LONGEST)
    throw badInput(`Filter string of ${filter.length} characters; at most ${LONGEST}`, 'filter');
  const tokens: SearchToken[] = [];
  let position = 0;
  while (position < filter.length) {
    let found = false;
    for (const kind of ['blank', 'operator', 'number', 'text', 'list', 'name'] as const) {
      const pattern = PATTERNS[kind];
      pattern.lastIndex = position;
      const text = pattern.exec(filter)?.[0];
      if (text === undefined) continue;
      if (kind !== 'blank') tokens.push(tokenOf(kind, text));
      position += text.length;
      found = true;
      break;
    }
    if (!found) throw badInput(`Invalid clause(s) in filter string: '${filter.slice(position)}'`, 'filter');
  }
  return tokens;
}

/** One comparison of a filter: all of them must hold. */
export interface SearchClause {
  name: Extract<SearchToken, { type: 'name' }>;
  operator: SearchOperator;
  /** Null after `IS NULL` and `IS NOT NULL`. */
  value: SearchToken | null;
}

/** Of one filter: each comparison is a part of one statement. */
const MOST_CLAUSES = 100;
const MOST_VALUES = 1_000;

/** How messages show pieces of a filter: MLflow quotes them where it searches runs alone. */
type Shown = 'quoted' | 'plain';

function invalid(rest: readonly SearchToken[], shown: Shown): Error {
  // MLflow names the word that joins two comparisons, and the comparisons themselves as they stand
  const tokens = rest[0]?.type === 'word' ? rest.slice(0, 1) : rest;
  const list = tokens.map(({ text }) => (shown === 'quoted' ? `'${text}'` : text)).join(', ');
  return badInput(`Invalid clause(s) in filter string: ${list}`, 'filter');
}

function isWord(token: SearchToken | undefined, word: string): boolean {
  return token?.type === 'word' && token.text.toUpperCase() === word;
}

function operatorAt(
  tokens: readonly SearchToken[],
  position: number,
): { operator: SearchOperator; length: number } | null {
  const words = tokens.slice(position, position + 3).map(({ text }) => text.toUpperCase());
  for (const length of [3, 2, 1]) {
    const text = words.slice(0, length).join(' ');
    const operator = SEARCH_OPERATORS.find((known) => known === (text === '==' ? '=' : text));
    if (operator !== undefined) return { operator, length };
  }
  return null;
}

/** A text in double quotes stands for a name, as in SQL. */
function nameOf(token: SearchToken | undefined): SearchToken | undefined {
  if (token?.type !== 'text' || !token.text.startsWith('"')) return token;
  return { type: 'name', text: token.text, parts: [token.value] };
}

/** The comparisons that `AND` joins in a filter. @throws WarrenError BAD_INPUT for anything else. */
export function searchClauses(filter: string, shown: Shown = 'quoted'): SearchClause[] {
  const tokens = searchTokens(filter);
  const values = tokens.reduce((sum, token) => sum + (token.type === 'list' ? (token.values?.length ?? 0) : 0), 0);
  if (values > MOST_VALUES)
    throw badInput(`Lists of ${values} values in the filter string; at most ${MOST_VALUES}`, 'filter');
  const clauses: SearchClause[] = [];
  let position = 0;
  while (position < tokens.length) {
    if (clauses.length > 0) {
      if (!isWord(tokens[position], 'AND')) throw invalid(tokens.slice(position), shown);
      position += 1;
      if (position === tokens.length) break;
    }
    const name = nameOf(tokens[position]);
    const found = operatorAt(tokens, position + 1);
    if (found !== null && (name?.type === 'text' || name?.type === 'number')) {
      throw badInput(`Invalid comparison clause. Expected 'Identifier' found '${name.text}'`, 'filter');
    }
    if (name?.type !== 'name' || found === null) throw invalid(tokens.slice(position), shown);
    position += 1 + found.length;
    const takesNone = found.operator === 'IS NULL' || found.operator === 'IS NOT NULL';
    const value = takesNone ? null : (tokens[position] ?? null);
    if (!takesNone && (value === null || value.type === 'operator' || value.type === 'word')) {
      throw invalid(tokens.slice(position - 1 - found.length), shown);
    }
    if (!takesNone) position += 1;
    if (clauses.length === MOST_CLAUSES)
      throw badInput(`More than ${MOST_CLAUSES} comparisons in the filter string`, 'filter');
    clauses.push({ name, operator: found.operator, value });
  }
  return clauses;
}

/** What one entry of `order_by` names, and its direction. @throws WarrenError BAD_INPUT. */
export function orderClause(order: string): { name: SearchClause['name']; ascending: boolean } {
  const [name, direction, ...rest] = searchTokens(order);
  if (name?.type !== 'name' || rest.length > 0) {
    throw badInput(`Invalid order_by clause '${order}'. Could not be parsed.`, 'order_by');
  }
  if (direction === undefined) return { name, ascending: true };
  if (!isWord(direction, 'ASC') && !isWord(direction, 'DESC')) {
    throw badInput(`Invalid ordering key in order_by clause '${order}'.`, 'order_by');
  }
  return { name, ascending: isWord(direction, 'ASC') };
}

/** A text in quotes. @throws WarrenError BAD_INPUT for anything else. */
export function quotedText(token: SearchToken | null, what: string): string {
  if (token?.type === 'text') return token.value;
  if (token?.type === 'name') {
    const advice = `types used for string value ${token.text}. Use either single or double quotes.`;
    throw badInput(`Parameter value is either not quoted or unidentified quote ${advice}`, 'filter');
  }
  const example = what === 'attributes' ? '' : " (e.g. 'my-value')";
  throw badInput(`Expected a quoted string value for ${what}${example}. Got value ${token?.text ?? ''}`, 'filter');
}

/** The texts of a list. @throws WarrenError BAD_INPUT where it has none, or anything else. */
export function listValue(token: Extract<SearchToken, { type: 'list' }>): readonly string[] {
  if (token.values !== null) return token.values;
  const found = /^\(\s*\)$/.test(token.text) ? 'empty list' : 'ill-formed list.';
  const what = `expected a non-empty list of string values, but got ${found}`;
  throw badInput(`While parsing a list in the query, ${what}`, 'filter');
}
