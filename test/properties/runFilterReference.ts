import { pathVariants } from '#src/base/contracts/runFilter/fields.ts';
import type { Condition, JsonField, Operator, RunField, RunFilter } from '#src/base/contracts/runFilter/syntax.ts';
import type { RunState } from '#src/base/contracts/runState.ts';

/** A run as the filter language sees it. */
export interface PlainRun {
  texts: Record<string, string | null>;
  /** The newest texts that it has logged, by name. */
  logged: Record<string, string[]>;
  numbers: Record<string, number | null>;
  /** Unix milliseconds. */
  times: Record<string, number | null>;
  state: RunState;
  tags: string[];
  metrics: Record<string, { last: number; minimum: number | null; maximum: number | null }>;
  json: { parameters: unknown; dataset: unknown; environment: unknown };
}

/** The slow reference implementation of the compiled filter: whether a run passes, straight from the meaning of each condition. */
export function passes(filter: RunFilter, run: PlainRun, nowMs: number): boolean {
  switch (filter.type) {
    case 'and':
      return filter.operands.every((operand) => passes(operand, run, nowMs));
    case 'or':
      return filter.operands.some((operand) => passes(operand, run, nowMs));
    case 'not':
      return !passes(filter.operand, run, nowMs);
    default:
      return meets(filter, run, nowMs);
  }
}

function meets(condition: Condition, run: PlainRun, nowMs: number): boolean {
  if (condition.type === 'inStates') return condition.values.includes(run.state) !== condition.negated;
  if (condition.type === 'inTags') {
    return condition.values.some((tag) => run.tags.includes(tag)) !== condition.negated;
  }
  if (condition.type === 'like' && condition.field.type === 'tag') {
    return run.tags.some((tag) => like(tag, condition)) !== condition.negated;
  }
  const value = fieldValue(condition.field, run);
  if (condition.type === 'null') return (value === null) !== condition.negated;
  if (value === null) return false;
  switch (condition.type) {
    case 'compareText':
      return ordered(codePointOrder(String(value), condition.value), condition.operator);
    case 'compareNumber':
      return compareNumbers(Number(value), condition.operator, condition.value);
    case 'compareJson':
      return compareJson(value, condition.operator, condition.value);
    case 'compareTime': {
      const base = condition.value.relative ? nowMs : 0;
      const [start, end] = [base + condition.value.start, base + condition.value.end];
      const position = Number(value) < start ? -1 : Number(value) >= end ? 1 : 0;
      return ordered(position, condition.operator);
    }
    case 'inTexts':
      return condition.values.includes(String(value)) !== condition.negated;
    case 'inNumbers':
      return condition.values.some((one) => compareNumbers(Number(value), '=', one)) !== condition.negated;
    case 'inJson':
      return condition.values.some((one) => compareJson(value, '=', one)) !== condition.negated;
    case 'like':
      return typeof value === 'string' && like(value, condition) !== condition.negated;
  }
}

function fieldValue(field: RunField, run: PlainRun): unknown {
  switch (field.type) {
    case 'text':
      return run.texts[field.name] ?? null;
    case 'loggedText':
      return run.logged[field.name]?.join('\n') ?? null;
    case 'number':
      return run.numbers[field.name] ?? null;
    case 'time':
      return run.times[field.name] ?? null;
    case 'state':
      return run.state;
    case 'tag':
      return run.tags.length === 0 ? null : run.tags;
    case 'metric':
      return run.metrics[field.name]?.[field.summary] ?? null;
    case 'json':
      return jsonAt(field, run);
  }
}

function jsonAt(field: JsonField, run: PlainRun): unknown {
  for (const path of pathVariants(field.path)) {
    const found = path.reduce<unknown>((value, key) => {
      if (value === null || typeof value !== 'object') return undefined;
      return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    }, run.json[field.root]);
    if (found !== undefined) return found;
  }
  return null;
}

/** NaN equals NaN and is neither less nor greater than anything. */
function compareNumbers(a: number, operator: Operator, b: number): boolean {
  const same = a === b || (Number.isNaN(a) && Number.isNaN(b));
  if (operator === '=') return same;
  if (operator === '!=') return !same;
  if (Number.isNaN(a) || Number.isNaN(b)) return false;
  return ordered(a < b ? -1 : a > b ? 1 : 0, operator);
}

function compareJson(a: unknown, operator: Operator, b: unknown): boolean {
  if (typeof a !== typeof b || typeof a === 'object') return operator === '!=';
  if (typeof a === 'number') return compareNumbers(a, operator, Number(b));
  if (typeof a === 'string') return ordered(codePointOrder(a, String(b)), operator);
  return operator === '=' ? a === b : a !== b;
}

function codePointOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function ordered(sign: number, operator: Operator): boolean {
  return { '=': sign === 0, '!=': sign !== 0, '<': sign < 0, '<=': sign <= 0, '>': sign > 0, '>=': sign >= 0 }[
    operator
  ];
}

function like(text: string, { pattern, caseless }: { pattern: string; caseless: boolean }): boolean {
  const source = pattern.replace(/\\(.)|(.)/gsu, (_, escaped?: string, plain?: string) => {
    if (plain === '%') return '.*';
    if (plain === '_') return '.';
    return (escaped ?? plain ?? '').replace(/[\\^$.*+?()[\]{}|/-]/u, '\\$&');
  });
  return new RegExp(`^${source}$`, caseless ? 'isu' : 'su').test(text);
}
