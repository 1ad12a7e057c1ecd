import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { FIRST_TIME_MS, LAST_TIME_MS } from '#src/base/contracts/storableTime.ts';

const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

function toDate(text: string): Date {
  const date = new Date(text);
  if (!ISO_8601.test(text) || Number.isNaN(date.getTime())) {
    throw new GraphQLError(`a DateTime looks like 2026-11-21T09:30:00Z, got ${JSON.stringify(text.slice(0, 100))}`);
  }
  if (date.getTime() < FIRST_TIME_MS || date.getTime() > LAST_TIME_MS) {
    throw new GraphQLError(`a DateTime lies in the years 1 to 9999 in UTC, got ${text}`);
  }
  return date;
}

/** Databases may hold dates beyond those that have four digits; one of them must not cost its reader the whole answer. */
function toText(date: Date): string {
  const time = Number.isNaN(date.getTime()) ? LAST_TIME_MS : date.getTime();
  return new Date(Math.min(LAST_TIME_MS, Math.max(FIRST_TIME_MS, time))).toISOString();
}

/** Dates inside, ISO 8601 in UTC outside. */
export const dateTimeScalar = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A point in time, ISO 8601 in UTC.',
  serialize(value) {
    if (value instanceof Date) return toText(value);
    if (typeof value === 'string') return toText(toDate(value));
    throw new GraphQLError('internal: a DateTime was neither a Date nor a string');
  },
  parseValue(value) {
    if (typeof value !== 'string') throw new GraphQLError('a DateTime is a string such as 2026-11-21T09:30:00Z');
    return toDate(value);
  },
  parseLiteral(node) {
    if (node.kind !== Kind.STRING) throw new GraphQLError('a DateTime is a string such as 2026-11-21T09:30:00Z');
    return toDate(node.value);
  },
});
