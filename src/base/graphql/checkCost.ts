import {
  GraphQLError,
  type GraphQLField,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type ComplexityEstimator, fieldExtensionsEstimator, getComplexity } from 'graphql-query-complexity';
import type { CoercedOperation } from './coercedOperation.ts';
import { LIMITS } from './limits.ts';
import { DEFAULT_PAGE_SIZE } from './pageSize.ts';

/** Entries that a list without a page size is taken to have. */
export const TYPICAL_LIST = 10;

/** Arguments that name runs, metrics or seeds: the list that answers them has an entry for each. */
const NAMING = ['ids', 'runIds', 'names', 'metrics', 'seeds'];

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** How many entries the caller asks for by naming them, in an argument or in the input of a mutation. */
export function namedEntries(args: Readonly<Record<string, unknown>>): number {
  const input = typeof args.input === 'object' && args.input !== null ? args.input : {};
  return Math.max(...NAMING.flatMap((name) => [lengthOf(args[name]), lengthOf(Reflect.get(input, name))]));
}

/** The page size asked for: null, as resolvers take it, is the default. Null for fields that have no pages. */
function pageSizeOf(field: GraphQLField<unknown, unknown>, args: Readonly<Record<string, unknown>>): number | null {
  const argument = field.args.find(({ name }) => name === 'first');
  if (argument === undefined) return null;
  const size = args.first ?? argument.defaultValue ?? DEFAULT_PAGE_SIZE;
  return typeof size === 'number' ? Math.max(0, size) : DEFAULT_PAGE_SIZE;
}

/**
 * Leaves are free (the tokens bound them), an object costs one, a page its size times its entry, a list without a page size
 * as many entries as the caller names, ten at least.
 */
const estimateByType: ComplexityEstimator = ({ field, args, childComplexity }) => {
  let type: GraphQLOutputType = field.type;
  let isList = false;
  while (isNonNullType(type) || isListType(type)) {
    isList ||= isListType(type);
    type = type.ofType;
  }
  if (isLeafType(type)) return 0;
  // a connection multiplies by its page, so its own list of edges does not count again
  if (field.name === 'edges') return childComplexity;
  const size = pageSizeOf(field, args);
  if (size !== null) return 1 + size * (1 + childComplexity);
  return isList ? 1 + Math.max(TYPICAL_LIST, namedEntries(args)) * childComplexity : 1 + childComplexity;
};

const estimators = [fieldExtensionsEstimator(), estimateByType];

/**
 * Objects that an operation may have to fetch, estimated before it runs.
 * @throws GraphQLError BAD_INPUT when that is more than `LIMITS.cost`.
 */
export function checkCost({ schema, document, values, operationName }: CoercedOperation): number {
  const cost = getComplexity({
    schema,
    query: document,
    variables: values,
    estimators,
    ...(operationName === undefined ? {} : { operationName }),
  });
  if (cost > LIMITS.cost) {
    const advice = 'ask for smaller pages or fewer nested fields';
    const message = `the operation costs ${Math.round(cost)}; at most ${LIMITS.cost} is allowed: ${advice}`;
    throw new GraphQLError(message, { extensions: { code: 'BAD_INPUT', http: { status: 400 } } });
  }
  return cost;
}
