import {
  type DocumentNode,
  GraphQLError,
  type GraphQLOutputType,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type ComplexityEstimator, fieldExtensionsEstimator, getComplexity } from 'graphql-query-complexity';
import { LIMITS } from './limits.ts';

/** Entries that a list without a page size is taken to have. */
const TYPICAL_LIST = 10;

/** Leaves are free (the tokens bound them), an object costs one, a list without a page size ten times its entry. */
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
  if (typeof args.first === 'number') return 1 + Math.max(0, args.first) * (1 + childComplexity);
  return isList ? 1 + TYPICAL_LIST * childComplexity : 1 + childComplexity;
};

const estimators = [fieldExtensionsEstimator(), estimateByType];

export interface CostInput {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Record<string, unknown>;
  operationName: string | undefined;
}

/**
 * Objects that an operation may have to fetch, estimated before it runs.
 * @throws GraphQLError BAD_INPUT when that is more than `LIMITS.cost`.
 */
export function checkCost({ schema, document, variables, operationName }: CostInput): number {
  const cost = getComplexity({
    schema,
    query: document,
    variables,
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
