import { badInput } from '#src/base/contracts/errors.ts';

/** A piece of a filter or an order in MLflow's search language. */
export type SearchToken =
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
export function searchTokens(filter: string): SearchToken[] {
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
