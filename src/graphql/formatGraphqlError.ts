import { randomUUID } from 'node:crypto';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ERROR_CODES, type ErrorCode, shownMessage, toErrorRecord, WarrenError } from '../base/contracts/errors.ts';
import { databaseFailure } from './databaseFailure.ts';

/** graphql's and Apollo's own codes: all of them the caller's mistake. */
const CALLERS_MISTAKES = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** Writes down what the caller may not see, under the id that the caller gets. */
export type ReportInternal = (error: Error, id: string) => void;

/**
 * Any error of an operation as the caller sees it: `extensions.code` is one of Warren's codes, `extensions.path` says where
 * in the input. What is not meant for people becomes "internal error" with an id, and goes to `report`.
 */
export function formatGraphqlError(error: unknown, report: ReportInternal): GraphQLFormattedError {
  const outer = error instanceof GraphQLError ? error : null;
  const inner = outer?.originalError ?? error;
  const place = {
    ...(outer?.path === undefined ? {} : { path: outer.path }),
    ...(outer?.locations === undefined ? {} : { locations: outer.locations }),
  };
  const mine = outer !== null && (outer.originalError === undefined || outer.originalError instanceof GraphQLError);
  if (mine) {
    const code = codeOfGraphqlError(outer);
    if (code !== null) {
      const at = inputPath(outer);
      return {
        message: shownMessage(outer.message),
        ...place,
        extensions: { code, ...(at === undefined ? {} : { path: at }) },
      };
    }
  }
  const record = toErrorRecord(inner);
  if (record.code !== 'INTERNAL' && isForPeople(inner)) {
    const at = record.path === undefined ? {} : { path: record.path };
    return { message: shownMessage(record.message), ...place, extensions: { code: record.code, ...at } };
  }
  const id = randomUUID();
  report(inner instanceof Error ? inner : new Error(record.message), id);
  const failure = databaseFailure(inner);
  if (failure !== null) {
    return { message: failure.message, ...place, extensions: { code: failure.code, id } };
  }
  return { message: `internal error ${id}`, ...place, extensions: { code: 'INTERNAL', id } };
}

/** Errors of other libraries may carry a code that looks like ours. */
function isForPeople(error: unknown): boolean {
  return error instanceof WarrenError || (error instanceof Error && error.name === 'WarrenError');
}

function codeOfGraphqlError(error: GraphQLError): ErrorCode | null {
  const code = error.extensions.code;
  if (typeof code === 'string') {
    if (ERROR_CODES.includes(code as ErrorCode)) return code === 'INTERNAL' ? null : (code as ErrorCode);
    return CALLERS_MISTAKES.has(code) ? 'BAD_INPUT' : null;
  }
  // without a code it comes from parsing, validating or coercing the document itself, unless we marked it as a bug
  return error.message.startsWith('internal:') ? null : 'BAD_INPUT';
}

/** `input.seeds[0]` of `Variable "$input" got invalid value "x" at "input.seeds[0]"; …`. */
function inputPath(error: GraphQLError): string | undefined {
  if (typeof error.extensions.path === 'string') return error.extensions.path;
  if (!error.message.includes('got invalid value')) return undefined;
  // the value before it may be long, and hold anything
  const place = error.message.slice(Math.max(0, error.message.lastIndexOf(' at "')));
  return /^ at "([^"]{1,500})"/.exec(place)?.[1];
}
