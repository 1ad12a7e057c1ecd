import { didYouMean } from '#src/base/lib/nearNames.ts';
import { TIME_UNITS_MS } from '#src/base/lib/timeUnits.ts';
import { RUN_STATES, type RunState } from '../runState.ts';
import { filterError, type Place } from './filterError.ts';
import type { JsonScalar, TimeSpan } from './syntax.ts';

/** A value as written: a bare word, or a quoted text. */
export interface Literal {
  text: string;
  quoted: boolean;
  place: Place;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['+infinity', Number.POSITIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);

/** The number that a text spells, NaN and infinities included; null when it is none. */
export function parseNumber(text: string): number | null {
  if (NUMBER.test(text)) return Number(text);
  return SPECIAL.get(text.toLowerCase()) ?? null;
}

/** @param what The field, for the message. @param hint What may have been meant. */
export function numberOf(literal: Literal, what: string, hint = ''): number {
  const value = parseNumber(literal.text);
  if (value !== null) return value;
  throw filterError(literal.place, `${what} is compared with a number, not with "${literal.text}"${hint}`);
}

export function stateOf(literal: Literal): RunState {
  const wanted = literal.text.toUpperCase();
  const state = RUN_STATES.find((name) => name === wanted);
  if (state !== undefined) return state;
  const hint = didYouMean(wanted, RUN_STATES) || ` There are ${RUN_STATES.join(', ')}.`;
  throw filterError(literal.place, `there is no state "${literal.text}".${hint}`);
}

/** Bare numbers and truth values are JSON's; everything else is a text. */
export function jsonScalarOf(literal: Literal): JsonScalar {
  if (literal.quoted) return literal.text;
  if (literal.text === 'true') return true;
  if (literal.text === 'false') return false;
  return NUMBER.test(literal.text) ? Number(literal.text) : literal.text;
}

/** A thousand years: databases know no dates much further from now. */
const FURTHEST_MS = 1_000 * 365.25 * 86_400_000;
const RELATIVE = /^([+-])(\d{1,6})([smhdw])$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** A point in time, `2026-11-21T10:00Z`, a day, `2026-11-21`, both in UTC, or a distance from now, `-2d`. */
export function timeOf(literal: Literal, what: string): TimeSpan {
  const { text } = literal;
  if (text.toLowerCase() === 'now') return { relative: true, start: 0, end: 1 };
  const [, sign, count, unit] = RELATIVE.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    const start = (sign === '-' ? -1 : 1) * Number(count) * TIME_UNITS_MS[unit]!;
    if (Math.abs(start) > FURTHEST_MS) {
      throw filterError(
        literal.place,
        `${what} is compared with a time at most 1,000 years from now, not with "${text}"`,
      );
    }
    return { relative: true, start, end: start + 1 };
  }
  const day = DATE.test(text);
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(text) && !day ? text : day ? `${text}T00:00Z` : `${text}Z`;
  const start = day || DATE_TIME.test(text) ? Date.parse(zoned.replace(' ', 'T')) : Number.NaN;
  const exists = !day || new Date(start || 0).toISOString().startsWith(text);
  if (Number.isNaN(start) || !exists) {
    const examples = '2026-11-21, 2026-11-21T10:00Z or -2d (units s, m, h, d, w)';
    throw filterError(literal.place, `${what} is compared with a time such as ${examples}, not with "${text}"`);
  }
  return { relative: false, start, end: day ? start + 86_400_000 : start + 1 };
}
